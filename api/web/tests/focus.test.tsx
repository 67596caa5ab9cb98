// Where the focus goes when a sheet closes: to the button it came from, or to the menu that held it.
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { speak } from '../src/i18n/index.ts';
import { change } from '../src/settings.ts';
import { Menu } from '../src/ui/Menu.tsx';
import { Question } from '../src/ui/Question.tsx';
import { confirm, settle } from '../src/ui/questions.ts';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
afterEach(cleanup);

function Page() {
  return (
    <>
      <Menu label="More">
        <button type="button" onClick={() => void confirm('Really?', 'Leave')}>
          Leave the table
        </button>
      </Menu>
      <button type="button" onClick={() => void confirm('Really?', 'Draw')}>
        Offer a draw
      </button>
      <svg role="application" aria-label="Board">
        <g
          role="button"
          tabindex={0}
          aria-label="A position"
          onClick={() => void confirm('Which?', 'Mark')}
        />
      </svg>
      <Question onClose={settle} />
    </>
  );
}

async function ask(name: string): Promise<HTMLElement> {
  const button = screen.getByRole('button', { name, hidden: true });
  button.focus();
  fireEvent.click(button);
  return screen.findByRole('dialog');
}
const summary = () => document.querySelector('summary');

it('a question asked from a menu gives it back to the menu’s button', async () => {
  render(<Page />);
  (document.querySelector('details') as HTMLDetailsElement).open = true;
  await ask('Leave the table');
  expect(document.querySelector('details')?.open).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => document.activeElement).toBe(summary());
});

it('one asked from the board to its position', async () => {
  render(<Page />);
  await ask('A position');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('A position');
});

it('any other question to its own button, after Escape as well', async () => {
  render(<Page />);
  const dialog = (await ask('Offer a draw')) as HTMLDialogElement;
  dialog.close();
  await expect.poll(() => document.activeElement?.textContent).toBe('Offer a draw');
  await ask('Offer a draw');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => document.activeElement?.textContent).toBe('Offer a draw');
});
