import { jsonHash } from '../canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { HookCapability, Invocation } from './capability.ts';
import { normalizeKey } from './executable-keys.ts';
import {
  commandLine,
  definitionHash,
  keyPath,
  readInvocation,
  textOf,
  type Source,
} from './read-invocation.ts';

/** Members of a group that hold its handlers. */
const NESTED_NAMES = ['hooks', 'action', 'then'];

/** Members that hold a command for one shell or operating system. */
const SHELL_NAMES = ['bash', 'powershell', 'windows', 'linux', 'osx', 'commandwindows'];

/** A map with one of these as a string or a list of strings is a handler. */
const HANDLER_NAMES: ReadonlySet<string> = new Set([
  ...SHELL_NAMES,
  'command',
  'cmd',
  'run',
  'exec',
  'script',
  'url',
  'prompt',
  'server',
  'tool',
]);

/** What applies to every handler below a point. */
interface Level {
  event: string;
  matcher?: string;
  /** What is declared around a handler, which is part of what the handler does. */
  groups: Json[];
}

/**
 * Reads hooks in every nesting that harnesses use: events with groups of handlers, events with
 * handlers, or a list of handlers that name their trigger. Any other string counts as a command.
 */
export function readHooks(value: Json, { file }: Source): HookCapability[] {
  const found: HookCapability[] = [];
  visit(value, { event: '', groups: [] });
  return found;

  function visit(node: Json, level: Level): void {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, level);
    } else if (isJsonObject(node)) {
      visitMap(node, level);
    } else if (typeof node === 'string' && node !== '') {
      emit(node, level, { action: 'command', ...commandLine([node]) });
    }
  }

  function visitMap(node: JsonObject, level: Level): void {
    const nested = NESTED_NAMES.filter((name) => typeof node[name] === 'object');
    const group = without(node, nested);
    const inside = { ...level, ...matcherOf(group), event: eventOf(group) ?? level.event };
    const isHandler = Object.entries(group).some(isHandlerMember);
    if (isHandler) {
      for (const invocation of invocationsOf(group)) {
        emit(group, inside, { action: actionOf(group), ...invocation });
      }
    }
    for (const name of nested) {
      visit(node[name] ?? null, { ...inside, groups: [...level.groups, group] });
    }
    if (isHandler || nested.length > 0) return;
    for (const [key, member] of Object.entries(node)) {
      visit(member, { ...level, event: keyPath(level.event, key) });
    }
  }

  function emit(handler: Json, level: Level, runs: Invocation & { action: string }): void {
    const { event, matcher, groups } = level;
    const hash = jsonHash([groups, definitionHash(handler)]);
    const limited = matcher === undefined ? {} : { matcher };
    found.push({ kind: 'hook', file, event, ...limited, ...runs, hash });
  }
}

function isHandlerMember([key, value]: [string, Json]): boolean {
  if (!HANDLER_NAMES.has(normalizeKey(key))) return false;
  const texts = Array.isArray(value) ? value : [value];
  return texts.length > 0 && texts.every((text) => typeof text === 'string');
}

/** Returns one invocation per command: a handler may have one for each shell or system. */
function invocationsOf(handler: JsonObject): Invocation[] {
  const general = readInvocation(handler);
  const commands = Object.entries(handler).flatMap(([key, value]): Invocation[] => {
    const name = normalizeKey(key);
    if (SHELL_NAMES.includes(name)) return [readInvocation(value)];
    if (name !== 'tool' || typeof value !== 'string') return [];
    const { server } = handler;
    return [commandLine([typeof server === 'string' ? `${server}/${value}` : value])];
  });
  if (commands.length === 0 || general.command !== undefined) commands.unshift(general);
  return commands.map(({ command, args }) => ({
    ...general,
    ...(command === undefined ? {} : { command }),
    args,
  }));
}

function without(node: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !names.includes(key)));
}

function eventOf({ event, trigger, when }: JsonObject): string | undefined {
  const named = event ?? trigger ?? (isJsonObject(when) ? when['type'] : when);
  return named === undefined || named === null ? undefined : textOf(named);
}

function matcherOf({ matcher }: JsonObject): { matcher?: string } {
  return matcher === undefined || matcher === null ? {} : { matcher: textOf(matcher) };
}

/** Returns the declared handler type, or the type that its members imply. */
function actionOf(handler: JsonObject): string {
  const { type } = handler;
  if (typeof type === 'string' && type !== '') return type;
  const names = new Set(Object.keys(handler).map(normalizeKey));
  if (names.has('url')) return 'http';
  if (names.has('prompt')) return 'prompt';
  return names.has('tool') ? 'mcp_tool' : 'command';
}
