import type { RunnableStep } from '../../shared/frozen-step.ts';

/**
 * A schema step. Programs of the previous release run during the step, so it adds objects (expand) and removes only
 * those that no such program uses (contract).
 */
export interface Migration extends RunnableStep {
  /** The last step that a program must know in order to work with the schema after this step. */
  oldest_program: number;
}
