// A part that cannot be loaded: its place says so, and it comes when it is asked for again or the network is back; one
// that can be closed is closed, and opens when it is asked for again.
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { speak } from '../src/i18n/index.ts';
import { change } from '../src/settings.ts';
import { lazy } from '../src/ui/lazy.tsx';
import { confirm, question, settle } from '../src/ui/questions.ts';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
afterEach(() => {
  cleanup();
  settle();
});

/** A part that fails to load so many times. */
function failing(times: number) {
  let left = times;
  const Part = lazy(
    async () => {
      if (left-- > 0) throw new TypeError('no network');
      return { Shown: ({ name }: { name: string }) => <h1>{name}</h1> };
    },
    'Shown',
    undefined,
    () => <p>waiting</p>,
  );
  render(<Part name="here" />);
}

it('says what happened, and comes when it is asked for again', async () => {
  failing(2);
  expect(screen.getByText('waiting')).toBeTruthy();
  expect((await screen.findByRole('alert')).textContent).toMatch(/cannot be reached/);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('heading')).textContent).toBe('here');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('comes by itself when the network is back', async () => {
  failing(1);
  await screen.findByRole('alert');
  dispatchEvent(new Event('online'));
  expect((await screen.findByRole('heading')).textContent).toBe('here');
});

it('closes a dialog that does not come; the next question loads it again', async () => {
  let left = 1;
  const Dialog = lazy(async () => {
    if (left-- > 0) throw new TypeError('no network');
    return { Shown: (_: { onClose: (yes?: boolean) => void }) => <h1>{question.value?.text}</h1> };
  }, 'Shown');
  const Page = () => <main>{question.value && <Dialog onClose={settle} />}</main>;
  render(<Page />);
  expect(await confirm('First?', 'Yes')).toBe(false);
  expect(question.value).toBeNull();
  await expect.poll(() => screen.getByRole('main').innerHTML).toBe('');
  const second = confirm('Second?', 'Yes');
  expect((await screen.findByRole('heading')).textContent).toBe('Second?');
  // One question at a time: the one before is answered.
  void confirm('Third?', 'Yes');
  expect(await second).toBe(false);
});
