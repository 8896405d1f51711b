import { MAX_HOOK_TIMEOUT } from '@catalog/core/artifact/frontmatter-keys';
import type { HookEvent, PackageFile } from '@catalog/core/artifact/types';
import { HOOK_EVENTS } from '@catalog/core/artifact/types';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { HookEventTable } from '../hook-event-table.ts';
import { isToolEvent } from '../shim/hook-matcher.ts';
import { quoteWord } from '../shim/shell-quote.ts';
import type { AdoptSource, SkippedContent } from './adopt-source.ts';
import type { SourceFile } from './candidate.ts';
import { bundleScripts, namesPluginFolder, type FindFile } from './hook-scripts.ts';
import { NATIVE_HOOK_FILE, NATIVE_HOOK_SCRIPT } from './native-hook-script.ts';
import { systemCommandReason } from './system-commands.ts';

export interface NativeCommand {
  event: string;
  matcher: string;
  command: string;
  /** Timeout in the unit of the product. */
  timeout: number | undefined;
  /** List element with the command, and its number of commands. */
  element: Json;
  commands: number;
  /** Why the command is not the whole hook, such as another one for Windows. */
  incomplete?: string;
}

export interface HookReading {
  name: string;
  values: JsonObject;
  resources: PackageFile[];
  sources: SourceFile[];
  changes: string[];
}

type HookSource = Extract<AdoptSource, { kind: 'hooks' }>;

export function listCommands(
  events: JsonObject,
): (NativeCommand | ({ event: string } & SkippedContent))[] {
  return Object.entries(events).flatMap(([event, list]) =>
    Array.isArray(list) ? list.flatMap((element) => commandsOf(event, element)) : [],
  );
}

function commandsOf(
  event: string,
  element: Json,
): (NativeCommand | ({ event: string } & SkippedContent))[] {
  if (!isJsonObject(element)) return [{ event, left: 'it is not an object' }];
  const matcher = typeof element['matcher'] === 'string' ? element['matcher'] : '';
  const { hooks } = element;
  const all = Array.isArray(hooks) ? hooks : [element];
  return all.map((hook) => {
    const command = isJsonObject(hook) ? (hook['command'] ?? hook['bash']) : undefined;
    const incomplete = isJsonObject(hook) ? systemCommandReason(hook, command) : undefined;
    if (!isJsonObject(hook) || typeof command !== 'string') {
      if (incomplete !== undefined) return { event, left: incomplete };
      const { type } = isJsonObject(hook) ? hook : {};
      const what =
        typeof type === 'string' && type !== 'command' ? `of the type ${type}` : 'broken';
      return { event, left: `it is ${what}; hooks in a catalog are commands` };
    }
    if (hook['enabled'] === false) return { event, left: 'it is switched off' };
    const timeout = hook['timeout'] ?? hook['timeoutSec'];
    return {
      event,
      matcher,
      command,
      timeout: typeof timeout === 'number' && timeout > 0 ? timeout : undefined,
      element,
      commands: all.length,
      ...(incomplete === undefined ? {} : { incomplete }),
    };
  });
}

/**
 * Converts a hook. If the product has its own contract (SPEC-66), a bundled script passes its input on, and the hook is
 * limited to that product until an author rewrites it.
 */
export function readHook(
  native: NativeCommand,
  source: HookSource,
  harness: string,
  findFile: FindFile,
): HookReading | SkippedContent {
  const { event, matcher, command, timeout, incomplete } = native;
  if (incomplete !== undefined) return { left: incomplete };
  const found = findEvent(source.events, event, matcher);
  if (found === undefined) return { left: `hook artifacts have no event for ${event}` };
  if (found.left_matcher !== '' && !source.wrapped) {
    return { left: `hook artifacts have no event for ${event} with the matcher ${matcher}` };
  }
  const by = source.wrapped ? 'variable' : 'path';
  const scripts = bundleScripts(command, findFile, by, source.in_plugin);
  if (source.in_plugin !== undefined && namesPluginFolder(scripts.command)) {
    return {
      left: `it runs something in the folder of the plugin that cannot be bundled: ${command}`,
    };
  }
  const narrowed = source.narrowed[event];
  const changes = [
    `${event} is ${found.event}${narrowed === undefined ? '' : `: ${narrowed}`}`,
    ...scripts.changes,
  ];
  const given = timeout === undefined ? undefined : Math.ceil(source.seconds(timeout));
  const seconds = given === undefined ? undefined : Math.min(given, MAX_HOOK_TIMEOUT);
  if (seconds !== given) changes.push(`its time-out is a day instead of ${given} seconds`);
  const name = `${found.event.replaceAll('_', '-')}-${slug(command)}`;
  const values: JsonObject = {
    hook_event: found.event,
    hook_action: scripts.command,
    ...(seconds === undefined ? {} : { hook_timeout: seconds }),
  };
  const sources = scripts.resources;
  if (!source.wrapped) return { name, values, resources: sources, sources, changes };
  const tools = isToolEvent(found.event);
  const hook_matcher = tools ? source.matcher(found.left_matcher) : found.left_matcher;
  if (hook_matcher !== found.left_matcher) {
    changes.push(`its matcher ${found.left_matcher} is ${hook_matcher}`);
  }
  changes.push(
    `it reads what ${harness} sends, so ${NATIVE_HOOK_FILE} hands that on and target_harnesses names ${harness}`,
  );
  return {
    name,
    values: {
      ...values,
      hook_action: `node ${NATIVE_HOOK_FILE} ${quoteWord(scripts.command)}`,
      ...(hook_matcher === '' ? {} : { hook_matcher }),
      target_harnesses: [harness],
    },
    resources: [...sources, SCRIPT].sort((a, b) => (a.path < b.path ? -1 : 1)),
    sources,
    changes,
  };
}

const SCRIPT: PackageFile = {
  path: NATIVE_HOOK_FILE,
  bytes: new TextEncoder().encode(NATIVE_HOOK_SCRIPT),
  executable: false,
};

/** Finds the canonical event, preferring an exact equivalent. A matcher without one becomes `hook_matcher`. */
export function findEvent(
  events: HookEventTable,
  event: string,
  matcher: string,
): { event: HookEvent; left_matcher: string } | undefined {
  const wantedMatcher = matcher === '*' ? '' : matcher;
  const same = HOOK_EVENTS.filter((each) => events[each]?.event === event);
  const exact = prefer(
    events,
    same.filter((each) => isMatcher(events[each]?.matcher, wantedMatcher)),
  );
  if (exact !== undefined) return { event: exact, left_matcher: '' };
  const wider = prefer(
    events,
    same.filter((each) => events[each]?.matcher === undefined),
  );
  return wider === undefined ? undefined : { event: wider, left_matcher: wantedMatcher };
}

function prefer(events: HookEventTable, found: readonly HookEvent[]): HookEvent | undefined {
  return found.find((each) => events[each]?.fallback === undefined) ?? found[0];
}

/** Compares matchers; `^Bash$` and `Bash` are equal. */
function isMatcher(declared: string | undefined, wantedMatcher: string): boolean {
  if (declared === undefined || wantedMatcher === '')
    return declared === undefined && wantedMatcher === '';
  return declared === wantedMatcher || declared === `^${wantedMatcher}$`;
}

const MAX_SLUG_LENGTH = 40;

function slug(command: string): string {
  const script = /([\w.-]+)\.(?:sh|py|mjs|cjs|js|ts|rb|pl|ps1)\b/.exec(command)?.[1];
  const words = (script ?? command)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return words.slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '') || 'command';
}
