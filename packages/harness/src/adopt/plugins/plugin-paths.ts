import { pathProblem } from '@catalog/core/artifact/safe-path';
import type { Json } from '@catalog/core/json';
import type { SkippedContent } from '../adopt-source.ts';
import { childPath } from '../template-names.ts';

/** Resolves a path of a manifest; `./` is `root` itself. */
export function resolvePath(given: Json, root: string): string | SkippedContent {
  if (typeof given !== 'string') return { left: 'it is not a path' };
  const path = given.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.') return root;
  const problem = pathProblem(path);
  return problem === undefined
    ? childPath(root, path)
    : { left: `the path ${JSON.stringify(given.slice(0, MAX_SHOWN))} ${problem}` };
}

const MAX_SHOWN = 200;
