// Lists that are read page by page: what was not reached is read again when the network is back, and nothing twice.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { Fault } from '../src/api/http.ts';
import { speak } from '../src/i18n/index.ts';
import { type Page, usePaged } from '../src/pages/people/pages.ts';

beforeAll(speak);
afterEach(cleanup);

/** A list of three pages that may be out of reach; `asked` tells after what each page was asked. */
function source() {
  const asked: (string | null)[] = [];
  const list = { reached: false, asked, read };
  async function read(after: string | null): Promise<Page<string>> {
    asked.push(after);
    if (!list.reached) throw new Fault('NETWORK');
    const n = after === null ? 0 : Number(after) + 1;
    return { edges: [{ node: `page ${n}` }], pageInfo: { hasNextPage: n < 2, endCursor: String(n) } };
  }
  return list;
}

function List({ read, of = '' }: { read: (after: string | null) => Promise<Page<string>>; of?: string }) {
  const { rows, more, next } = usePaged(of, read);
  return (
    <>
      <ul>
        {rows.value?.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
      {more.value && (
        <button type="button" onClick={() => void next()}>
          more
        </button>
      )}
    </>
  );
}

const shown = () => screen.queryAllByRole('listitem').map((item) => item.textContent);
const online = () => fireEvent(window, new Event('online'));

it('a first page that was not reached comes with the network', async () => {
  const list = source();
  render(<List read={list.read} />);
  await waitFor(() => expect(list.asked).toEqual([null]));
  expect(shown()).toEqual([]);
  list.reached = true;
  online();
  await waitFor(() => expect(shown()).toEqual(['page 0']));
  online();
  expect(list.asked).toEqual([null, null]);
});

it('so does a later page, after those that are there', async () => {
  const list = source();
  list.reached = true;
  render(<List read={list.read} />);
  await waitFor(() => expect(shown()).toEqual(['page 0']));
  list.reached = false;
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(list.asked).toEqual([null, '0']));
  list.reached = true;
  await waitFor(() => {
    online();
    expect(shown()).toEqual(['page 0', 'page 1']);
  });
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(shown()).toEqual(['page 0', 'page 1', 'page 2']));
  expect(screen.queryByRole('button')).toBeNull();
});

it('another list begins at its start, whatever was not reached before', async () => {
  const list = source();
  const { rerender } = render(<List read={list.read} of="a" />);
  await waitFor(() => expect(list.asked).toEqual([null]));
  list.reached = true;
  rerender(<List read={list.read} of="b" />);
  await waitFor(() => expect(shown()).toEqual(['page 0']));
  online();
  expect(list.asked).toEqual([null, null]);
});
