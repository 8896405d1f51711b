import type { RunnableStep } from '../../shared/frozen-step.ts';

/**
 * One step of the schema. It runs while programs of the previous release serve: it adds (expand), and
 * removes only what no such program uses any more (contract).
 */
export interface Migration extends RunnableStep {
  /** The lowest last step a program must know to work with the schema after this one. */
  oldest_program: number;
}
