import type { z } from 'zod';

/**
 * Whether an answer has the shape of the contract's schema. Later additions pass: members this
 * release does not know are taken out of it.
 */
export function fits<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
): answer is z.output<Schema> {
  const issues = schema.safeParse(answer).error?.issues ?? [];
  return issues.every((issue) => {
    if (issue.code === 'unrecognized_keys') remove(answer, issue.path, issue.keys);
    // What the schema doubts beyond the shape are details of an error; a later release may give more.
    return issue.code === 'unrecognized_keys' || issue.code === 'custom';
  });
}

function remove(answer: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let at: unknown = answer;
  for (const step of path) at = isObject(at) ? Reflect.get(at, step) : undefined;
  if (!isObject(at)) return;
  for (const key of keys) Reflect.deleteProperty(at, key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
