import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expandHome } from '@catalog/core/text/expand-home';
import { parseDuration } from './duration.ts';
import type { ConfigFile, MaterializeHook, MaterializeHookConfig } from './types.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Returns hooks in order of execution, the user's own first. Each one receives the output of the previous one. */
export function resolveHooks(files: readonly ConfigFile[], home: string): MaterializeHook[] {
  return files.flatMap((file) =>
    (file.content.materialize_hooks ?? []).map((hook) => resolveHook(hook, file, home)),
  );
}

function resolveHook(
  { name, run, sandbox, types, harnesses, timeout, reads = [] }: MaterializeHookConfig,
  file: ConfigFile,
  home: string,
): MaterializeHook {
  const [program, ...words] = run.map((word) => toAbsolute(word, file, home));
  if (program === undefined) {
    throw refused(name, file, 'has no program under run', 'Write run: [program, argument].');
  }
  const timeout_ms = timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(timeout);
  if (timeout_ms === undefined) {
    const advice = 'Write a duration such as 30s or 5m, up to one day.';
    throw refused(name, file, `has the invalid timeout ${timeout}`, advice);
  }
  return {
    name,
    run: [program, ...words],
    sandbox,
    types,
    harnesses,
    timeout_ms,
    reads: reads.map((path) => resolve(file.base, expandHome(path, home))),
    file,
  };
}

/** Makes an argument that looks like a path absolute, because hooks run in another folder. */
function toAbsolute(word: string, { base }: ConfigFile, home: string): string {
  return /^(?:\.{1,2}|~)\//.test(word) ? resolve(base, expandHome(word, home)) : word;
}

function refused(
  name: string,
  { path: file }: ConfigFile,
  problem: string,
  suggested_action: string,
): CatalogError {
  return new CatalogError(
    'config.invalid',
    `${file}: the materialization hook ${name} ${problem}.`,
    { details: { file, key: 'materialize_hooks', value: name }, suggested_action },
  );
}
