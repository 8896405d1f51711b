import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isJsonObject } from '@catalog/core/json';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { settingsOf } from '@catalog/harness/adopt/product-text';
import { listCommands, type NativeCommand } from '@catalog/harness/adopt/read-hooks';
import { canonicalJson } from '@catalog/core/canonical-json';
import { listFiles } from '../../../bench/tree.ts';
import { isAt } from './is-at.ts';

/** Returns the hooks that differ in the received input, the output, or blocking the action. */
export function compareHooks(
  before: string,
  after: string,
  adapter: HarnessAdapter,
  maxHooks: number,
): { tried: number; differences: string[] } {
  const places = Map.groupBy(hooksOf(before, adapter), placeOf);
  const others = Map.groupBy(hooksOf(after, adapter), placeOf);
  let tried = 0;
  const differences: string[] = [];
  for (const [place, hooks] of places) {
    if (tried >= maxHooks) break;
    tried += hooks.length;
    const had = hooks.map((hook) => runHook(hook, before, adapter)).toSorted();
    const has = (others.get(place) ?? []).map((hook) => runHook(hook, after, adapter)).toSorted();
    if (had.join('\n') !== has.join('\n')) {
      differences.push(`the hooks at ${place} did ${had.join('; ')}, and now ${has.join('; ')}`);
    }
  }
  return { tried, differences };
}

function placeOf({ event, matcher, timeout }: NativeCommand): string {
  return [event, matcher, timeout].filter((part) => part !== '' && part !== undefined).join(' ');
}

function hooksOf(folder: string, { adopt = [] }: HarnessAdapter): NativeCommand[] {
  return adopt.flatMap((source) => {
    if (source.kind !== 'hooks') return [];
    return listFiles(folder)
      .filter((path) => isAt(source.path, path))
      .toSorted()
      .flatMap((path) => {
        const bytes = readFileSync(join(folder, path));
        const settings = settingsOf({ path, bytes });
        const events = 'left' in settings ? {} : source.lists(settings.values);
        return listCommands(events ?? {}).flatMap((hook) => ('left' in hook ? [] : [hook]));
      });
  });
}

function runHook(hook: NativeCommand, folder: string, { hook_events }: HarnessAdapter): string {
  const { event, matcher, command } = hook;
  const seen = join(folder, '..', 'seen');
  rmSync(seen, { force: true });
  const input = JSON.stringify(inputOf(event, matcher));
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    env: { PATH, HOME: folder, SEEN: seen, ...projectVariables(command, folder) },
    input,
    encoding: 'utf8',
  });
  const receivedInput = existsSync(seen) ? sameInput(readFileSync(seen, 'utf8'), input) : 'nothing';
  const printed = /hook-\d+ says no/.exec(stdout + stderr)?.[0] ?? stdout.trim();
  const stops = status === 2 || /"(?:deny|block)"|"continue":false/.test(stdout);
  // Each product has its own list of other events that a hook can block.
  const did = event === hook_events.pre_tool_use?.event && stops ? 'stopped' : 'ran';
  return `${did}, heard ${receivedInput}, said ${JSON.stringify(printed)}`;
}

const PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);

function sameInput(got: string, input: string): string {
  const value: unknown = JSON.parse(got);
  return isJsonObject(value) && canonicalJson(value) === canonicalJson(JSON.parse(input))
    ? 'its input'
    : got;
}

function projectVariables(command: string, folder: string): Record<string, string> {
  const names = [...command.matchAll(/\$\{?([A-Z_]+_DIR)\b/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, folder]));
}

function inputOf(event: string, matcher: string): object {
  const tool = matcher
    .replaceAll(/\.\*|[\^$()]/g, '')
    .split('|')
    .map((name) => (name.endsWith('_') ? `${name}tickets__list` : name))[0];
  return {
    session_id: 'session',
    hook_event_name: event,
    cwd: '/',
    tool_name: tool === '' ? 'Bash' : tool,
    tool_input: { command: 'ls', file_path: '/notes.md' },
    // Hermes has one event for all decisions of a user; only a rejection has a canonical event.
    extra: { choice: 'deny' },
  };
}
