// Messages: good ones go by themselves; bad ones stay until they are put away, or were read and the person goes on.
import { fireEvent, render } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { speak } from '../src/i18n/index.ts';
import { change } from '../src/settings.ts';
import { say, Toasts } from '../src/ui/toasts.tsx';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The messages that are shown, and a button beside them. */
function shown() {
  const { container } = render(
    <>
      <Toasts />
      <button type="button">Elsewhere</button>
    </>,
  );
  const told = async () => {
    await vi.advanceTimersByTimeAsync(1);
    return [...container.querySelectorAll('.toast span')].map((one) => one.textContent);
  };
  const elsewhere = () => fireEvent.click(container.querySelector('button:last-child') as Element);
  const putAway = () => fireEvent.click(container.querySelector('.toast button') as Element);
  return { told, elsewhere, putAway };
}

it('goes by itself when it is good, and stays when it is bad', async () => {
  const { told, putAway } = shown();
  say('Saved');
  say('Refused', true);
  expect(await told()).toEqual(['Saved', 'Refused']);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await told()).toEqual(['Refused']);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await told()).toEqual(['Refused']);
  putAway();
  expect(await told()).toEqual([]);
});

it('leaves time to read a bad one, and goes when the person goes on after that', async () => {
  const { told, elsewhere } = shown();
  say('Refused', true);
  elsewhere();
  expect(await told()).toEqual(['Refused']);
  await vi.advanceTimersByTimeAsync(9_000);
  elsewhere();
  expect(await told()).toEqual([]);
});
