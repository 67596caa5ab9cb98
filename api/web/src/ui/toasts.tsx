// Short messages at the edge of the page, and words for screen readers alone.
import { signal } from '@preact/signals';
import { Fault } from '../api/http.ts';
import { errorWords, words } from '../i18n/index.ts';

interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const toasts = signal<readonly Toast[]>([]);
const spoken = signal('');
let last = 0;

/** Shows a message for a while; bad ones stay until they are put away, or were there for long and the person goes on. */
export function say(text: string, bad = false): void {
  last += 1;
  const id = last;
  const gone = () => drop(id);
  toasts.value = [...toasts.value.filter((one) => one.text !== text).slice(-2), { id, text, bad }];
  setTimeout(bad ? () => addEventListener('click', gone, { once: true }) : gone, bad ? 9_000 : 4_000);
}

/** Tells screen readers. */
export function announce(text: string): void {
  spoken.value = text === spoken.value ? `${text}\u00a0` : text;
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The sentence for a code of the server. */
export async function errorText(code: string, retryAfter: number | null = null): Promise<string> {
  const { common } = words();
  // Without a network the sentences cannot be read either.
  const errors = await errorWords().catch(() => null);
  if (!errors) return common.unreachable;
  const known = Object.hasOwn(errors, code) && code !== 'UNKNOWN';
  const text = known ? (errors[code as keyof typeof errors] as string) : errors.UNKNOWN(code);
  return retryAfter ? `${text}${common.after(retryAfter)}` : text;
}

/** Shows why the server refused. */
export async function sayRefused({
  code,
  retryAfter,
}: {
  code: string;
  retryAfter: number | null;
}): Promise<void> {
  say(await errorText(code, retryAfter), true);
}

/** Shows what went wrong with a request. */
export function sayFault(fault: unknown): void {
  if (fault instanceof Fault) void sayRefused(fault);
  else throw fault;
}

/** Where messages appear. */
export function Toasts() {
  return (
    <>
      <div class="toasts" role="status">
        {toasts.value.map((one) => (
          <div key={one.id} class={one.bad ? 'toast bad' : 'toast'}>
            <span>{one.text}</span>
            <button type="button" onClick={() => drop(one.id)} aria-label={words().common.dismiss}>
              ✕
            </button>
          </div>
        ))}
      </div>
      <div class="unseen" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
