// One typed request over HTTP. Faults become `Fault`s with a stable code; it knows no page and no words.
import type { TypedDocumentString } from './generated.ts';

/** Something that went wrong outside of what a mutation's `userErrors` tell. */
export class Fault extends Error {
  /** A code of the server, or `NETWORK` when it was not reached. */
  readonly code: string;
  /** After how many seconds another attempt may succeed, where the server said so. */
  readonly retryAfter: number | null;

  constructor(code: string, retryAfter: number | null = null) {
    super(code);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

interface Envelope<R> {
  data?: R | null;
  errors?: { extensions?: { code?: string; retryAfter?: number } }[];
}

/** After so long without an answer a request is lost, in milliseconds. */
const LOST_MS = 15_000;
/** For answers that are whole files. */
export const FILE_MS = 120_000;

/** Sends one operation. Throws a `Fault`: also when the answer does not come, or not to its end. */
export async function ask<R, V>(
  document: TypedDocumentString<R, V>,
  variables: V,
  lost = LOST_MS,
): Promise<R> {
  let response: Response | undefined;
  let envelope: Envelope<R> | null = null;
  try {
    response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json;q=0.9',
      },
      body: JSON.stringify({ query: document.toString(), variables }),
      signal: AbortSignal.timeout(lost),
    });
    envelope = await response.json();
  } catch {
    // No answer, half of one, or one of something on the way: a refusal in other words than the server's is told below.
    if (!response || response.ok) throw new Fault('NETWORK');
  }
  const seconds = Number(response.headers.get('retry-after')) || null;
  const error = envelope?.errors?.[0];
  if (error) throw new Fault(error.extensions?.code ?? 'INTERNAL', error.extensions?.retryAfter ?? seconds);
  if (!envelope?.data) throw new Fault(response.status >= 500 ? 'NETWORK' : 'INTERNAL', seconds);
  return envelope.data;
}

const PAUSES = [400, 1200, 3000];

/**
 * Sends a command that has an idempotency key: when the answer is lost on the way it is sent again with the same
 * key, and done once.
 */
export async function command<R, V>(document: TypedDocumentString<R, V>, variables: V): Promise<R> {
  for (const pause of PAUSES) {
    try {
      return await ask(document, variables);
    } catch (fault) {
      if (!(fault instanceof Fault) || fault.code !== 'NETWORK') throw fault;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
  return ask(document, variables);
}

/** A new idempotency key. */
export const newKey = (): string => crypto.randomUUID();

/** The player's own 256 bits for a fair draw. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
