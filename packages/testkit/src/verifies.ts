import { test, type TestContext } from 'vitest';
import { watchDoors, type Door } from './went-through.ts';
import { requirementById } from './requirement-rows.ts';

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
 * Defines a test that fails without the behavior of these requirements. Throws at collection if the
 * specification has no requirement with that id.
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
