import { existsSync } from 'node:fs';
import type { Config } from '@catalog/consumer/config/types';
import type { Launch } from '@catalog/consumer/trust/approve-launch';
import { readLocalFile } from '@catalog/consumer/local-file';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { memberAt, settingsOf } from '@catalog/harness/adopt/product-text';
import {
  registerMcp,
  type McpRegistration,
  type McpScope,
  type System,
} from '@catalog/harness/mcp-registration';
import type { ExaminedFile, Problem } from './examination.ts';
import { listOf, wordOf } from './json-values.ts';

export interface FoundLaunch {
  launch: Launch;
  /** The command that `catalog mcp config` would write to the same file. */
  own: Launch;
  scope: McpScope;
  file: ExaminedFile;
  problems: Problem[];
}

const NO_LAUNCH: Launch = { command: '', args: [], env: {} };

type Folders = Pick<Config, 'workspace' | 'home'>;

/**
 * Finds the command of the server: in the project settings, then in those of the user. Without an entry, returns what
 * `catalog mcp config` would write, so that the other checks can run.
 */
export function findLaunch(
  adapter: HarnessAdapter,
  config: Folders & Pick<Config, 'registry'>,
  system: System,
): FoundLaunch {
  const request = { registry: config.registry?.value, system };
  const usual = registerMcp(adapter, { ...request, scope: undefined });
  const first = readPlace(adapter.id, usual, config);
  if (first.file.entry !== 'missing' || !hasBoth(adapter)) return first;
  const other = readPlace(adapter.id, registerMcp(adapter, { ...request, scope: 'user' }), config);
  return other.file.entry === 'missing' ? first : other;
}

function hasBoth({ mcp_config }: HarnessAdapter): boolean {
  if ('refused' in mcp_config) return false;
  return mcp_config.project !== undefined && mcp_config.user !== undefined;
}

function readPlace(
  harness: string,
  { scope, path: file, entry }: McpRegistration,
  { home, workspace }: Folders,
): FoundLaunch {
  const path = `${scope === 'user' ? home : workspace}/${file}`;
  const write = `\`catalog mcp config ${harness}${scope === 'user' ? ' --scope user' : ''} --write\``;
  const wanted = isJsonObject(entry.value) ? entry.value : {};
  const found = (
    kind: ExaminedFile['entry'],
    given: JsonObject,
    problem?: Problem,
  ): FoundLaunch => ({
    launch: readLaunch(given) ?? NO_LAUNCH,
    own: readLaunch(wanted) ?? NO_LAUNCH,
    scope,
    file: { path, entry: kind },
    problems: problem === undefined ? [] : [problem],
  });
  const missing = (): FoundLaunch =>
    found('missing', wanted, {
      what: `${path} has no catalog-mcp entry, so ${harness} does not start it.`,
      next: `Run ${write}, then restart ${harness}.`,
    });
  if (!existsSync(path)) return missing();
  const settings = readSettings(path);
  if ('left' in settings) {
    return found('unreadable', wanted, {
      what: `${harness} cannot use ${path}: ${settings.left}.`,
      next: 'Fix the file; the harness ignores all of it.',
    });
  }
  const given = memberAt(settings.values, entry.container)?.[entry.key];
  if (!isJsonObject(given)) return missing();
  if (given['enabled'] === false || given['disabled'] === true) {
    return found('switched-off', given, {
      what: `The catalog-mcp entry in ${path} is disabled.`,
      next: `Enable it there, or run ${write}.`,
    });
  }
  if (readLaunch(given) === undefined) {
    return found('unreadable', wanted, {
      what: `The catalog-mcp entry in ${path} has no command.`,
      next: `To rewrite it, run ${write}.`,
    });
  }
  return found('found', given);
}

function readSettings(path: string): ReturnType<typeof settingsOf> {
  const file = readLocalFile(path);
  return file.kind === 'file'
    ? settingsOf({ bytes: file.bytes, path })
    : { left: `it ${file.reason}` };
}

export function readLaunch(entry: JsonObject): Launch | undefined {
  const { command, args } = entry;
  const words = Array.isArray(command) ? command : [command ?? null, ...listOf(args)];
  const [program, ...rest] = words.filter((word) => typeof word === 'string');
  if (program === undefined || program === '') return undefined;
  const map = [entry['env'], entry['environment']].find(isJsonObject) ?? {};
  const env = Object.entries(map).map(([name, value]) => [name, wordOf(value)] as const);
  return { command: program, args: rest, env: Object.fromEntries(env) };
}
