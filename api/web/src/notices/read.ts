// Marking notices read. The count itself comes back over the subscription.
import { MarkNoticesReadDocument } from '../api/generated.notices.ts';
import { command, newKey } from '../api/http.ts';
import { notices } from '../session.ts';
import { sayFault, sayRefused } from '../ui/toasts.tsx';

/** Marks the notices up to one, or all of them, read. */
export async function markRead(upTo: string | null): Promise<void> {
  if (!notices.value?.unread) return;
  try {
    const { payload } = await command(MarkNoticesReadDocument, { input: { idempotencyKey: newKey(), upTo } });
    const problem = payload.userErrors[0];
    if (problem) void sayRefused(problem);
  } catch (fault) {
    sayFault(fault);
  }
}
