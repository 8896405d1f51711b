import { test, type TestContext } from 'vitest';
import { trackEntryPoints, type EntryPoint } from './entry-points.ts';
import { requirementById } from './requirement-rows.ts';

declare module 'vitest' {
  interface TaskMeta {
    verifies?: string[];
    through?: EntryPoint[];
  }
}

export interface VerifiesOptions {
  timeout?: number;
}

/** Defines a test of requirements. An unknown id fails before any test runs. */
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
      await trackEntryPoints(
        () => body(context),
        (through) => {
          context.task.meta.through = [...through];
        },
      );
    },
  );
}
