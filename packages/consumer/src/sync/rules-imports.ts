import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isMissing } from '@catalog/core/node/is-missing';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { userText } from '@catalog/harness/adopt/user-content';
import type { RulesImportState } from '@catalog/harness/planned';
import { COMMON_RULES } from '@catalog/harness/rule-writers';

interface Target {
  adapter: HarnessAdapter;
  target: { directory: string };
}

/**
 * Returns files to which no import of AGENTS.md can be added: files of the user without one, and those that import or
 * link to it.
 */
export function rulesImports(targets: readonly Target[]): Map<string, RulesImportState> {
  const states = new Map<string, RulesImportState>();
  for (const { adapter, target } of targets) {
    const { rules_import } = adapter;
    if (rules_import === undefined) continue;
    const state = stateOf(target.directory, rules_import.path);
    if (state !== undefined) states.set(rules_import.path, state);
  }
  return states;
}

const IMPORT = /^\s*(?:[-*] )?@(?:\.\/)?AGENTS\.md(?:#\S*)?\s*$/m;

function stateOf(directory: string, file: string): RulesImportState | undefined {
  const path = join(directory, file);
  try {
    const text = readRegularFile(path, MAX_TEXT_BYTES).toString('utf8');
    if (linkedPath(path) === join(directory, COMMON_RULES)) return 'linked';
    const own = userText(text, path);
    const isOwn = typeof own !== 'string' || own.trim() !== '';
    if (typeof own === 'string' && IMPORT.test(own)) return 'linked';
    return isOwn && !IMPORT.test(text) ? 'own' : undefined;
  } catch (cause) {
    if (!isMissing(cause)) return 'own';
    const link = linkedPath(path);
    if (link === undefined) return undefined;
    return link === join(directory, COMMON_RULES) ? 'linked' : 'own';
  }
}

/** Returns the target of a link, which may not exist; undefined for other paths. */
function linkedPath(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true ? resolve(dirname(path), readlinkSync(path)) : undefined;
}
