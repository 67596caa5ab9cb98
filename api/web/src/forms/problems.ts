// What was refused, in words, and which field of a form it is about.
import type { ProblemFragment } from '../api/generated.ts';
import { errorText } from '../ui/toasts.tsx';

/** A refusal in words. */
export interface Problem {
  field: string | null;
  text: string;
}

/** The first refusal of an answer in words; null where there is none. */
export async function firstProblem(errors: readonly ProblemFragment[]): Promise<Problem | null> {
  const [error] = errors;
  return error ? { field: error.field, text: await errorText(error.code, error.retryAfter) } : null;
}

/** The text for a field, if the refusal is about it. */
export const problemAt = (field: string, problem: Problem | null): string | null =>
  problem?.field === field ? problem.text : null;

/** The text of a refusal that is about none of the fields. */
export const problemElsewhere = (fields: readonly string[], problem: Problem | null): string | null =>
  problem && !fields.includes(problem.field ?? '') ? problem.text : null;
