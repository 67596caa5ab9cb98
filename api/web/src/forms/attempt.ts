// One attempt at a time at something that the server may refuse: whether it is under way, and what was refused.
import { type Signal, useSignal } from '@preact/signals';
import type { ProblemFragment } from '../api/generated.ts';
import { Fault } from '../api/http.ts';
import { sayFault } from '../ui/toasts.tsx';
import { firstProblem, type Problem } from './problems.ts';

/** An attempt. */
export interface Attempt {
  busy: Signal<boolean>;
  problem: Signal<Problem | null>;
  /** Runs the work, which gives the answer's `userErrors`; true when there were none. */
  run: (work: () => Promise<readonly ProblemFragment[]>) => Promise<boolean>;
}

/** Notes that no answer came, of a request that may have been done nevertheless. */
export const noteLost =
  (lost: Signal<boolean>) =>
  (fault: unknown): never => {
    if (fault instanceof Fault && fault.code === 'NETWORK') lost.value = true;
    throw fault;
  };

/** An attempt of a form. */
export function useAttempt(): Attempt {
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const run: Attempt['run'] = async (work) => {
    if (busy.peek()) return false;
    busy.value = true;
    problem.value = null;
    try {
      problem.value = await firstProblem(await work());
      return problem.value === null;
    } catch (fault) {
      sayFault(fault);
      return false;
    } finally {
      busy.value = false;
    }
  };
  return { busy, problem, run };
}
