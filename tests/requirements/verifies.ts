import { test, type TestContext } from 'vitest';
import { watchDoors, type Door } from '@catalog/testkit/went-through';
import { requirementById } from './rows.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Requirement ids the test claims. */
    verifies?: string[];
    /** Doors the test went through while it ran. */
    through?: Door[];
  }
}

export interface VerifiesOptions {
  timeout?: number;
}

/**
 * A test that shows one or several rows of the requirements: it would fail without the behaviour.
 * An id that is no row stops the file at collection.
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: (context: TestContext) => unknown,
  options: VerifiesOptions = {},
): void {
  const claimed = typeof ids === 'string' ? [ids] : [...ids];
  const unknown = claimed.filter((id) => !requirementById.has(id));
  if (claimed.length === 0) throw new Error(`"${title}" verifies nothing`);
  if (unknown.length > 0) {
    throw new Error(`"${title}" verifies ${unknown.join(', ')}: no such row in requirements.tsv`);
  }
  test(
    `${title} [${claimed.join(', ')}]`,
    { ...options, meta: { verifies: claimed } },
    async (context) => {
      await watchDoors(
        () => body(context),
        (through) => {
          context.task.meta.through = [...through];
        },
      );
    },
  );
}
