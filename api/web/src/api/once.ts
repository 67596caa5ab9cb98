// Commands that make something new: who tries again after lost answers gets what the first attempt made, not another.
import { viewer } from '../session.ts';
import type { TypedDocumentString } from './generated.ts';
import { command, Fault, newKey } from './http.ts';

/** What was sent and not answered yet, by person, document and wish. */
const open = new Map<string, object>();

/**
 * Sends a command; until an answer came, the same wish goes under the same idempotency key, with what was drawn for it.
 */
export async function once<R, V extends { idempotencyKey: string }>(
  document: TypedDocumentString<R, { input: V }>,
  wish: Partial<V>,
  draw: () => Partial<V> = () => ({}),
): Promise<R> {
  const name = JSON.stringify([viewer.peek()?.player.id, document.toString(), wish]);
  const input = (open.get(name) ?? { ...wish, ...draw(), idempotencyKey: newKey() }) as V;
  open.set(name, input);
  let lost = false;
  try {
    return await command(document, { input });
  } catch (fault) {
    lost = fault instanceof Fault && fault.code === 'NETWORK';
    throw fault;
  } finally {
    if (!lost) open.delete(name);
  }
}
