import type { RunnableStep } from '../../shared/frozen-step.ts';

/**
 * Programs of the previous release run during the step: it adds objects (expand) and removes only those
 * that no such program uses (contract).
 */
export interface Migration extends RunnableStep {
  /** Lowest last step that a program must know to work with the schema after this step. */
  oldest_program: number;
}
