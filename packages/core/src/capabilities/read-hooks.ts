import { jsonHash } from '../canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { HookCapability, Invocation } from './capability.ts';
import { normalizeKey } from './executable-keys.ts';
import {
  commandLine,
  definitionHash,
  INVOCATION_NAMES,
  keyPath,
  readInvocation,
  SHELL_NAMES,
  textOf,
  type Source,
} from './read-invocation.ts';
import { isLabel } from './unlisted-commands.ts';

const NESTED_NAMES = ['hooks', 'action', 'then'];

/** Names that make a map a hook handler, if the value is a string or a list of strings. */
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

interface Level {
  event: string;
  matcher?: string;
  groups: Json[];
}

/**
 * Lists hooks in every structure that harnesses use: events with groups of handlers, events with handlers, or a list of
 * handlers with triggers. Other strings count as commands.
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
    const inside = { ...level, ...matcherOf(group, level), event: eventOf(group, level) };
    const isHandler = Object.entries(group).some(isHandlerMember);
    if (isHandler) {
      for (const action of actionsOf(group)) emit(group, inside, { ...action, ...promptOf(group) });
    }
    const below = { ...inside, groups: [...level.groups, group] };
    for (const name of nested) visit(node[name] ?? null, below);
    const isGroup = isHandler || nested.length > 0;
    // An object can be a handler and contain events too: a harness ignores the members that it does
    // not know.
    for (const [key, member] of Object.entries(group)) {
      if (!isGroup) visit(member, { ...level, event: keyPath(level.event, key) });
      else if (isEventMember(key, member))
        visit(member, { ...below, event: keyPath(below.event, key) });
    }
  }

  function emit(handler: Json, level: Level, runs: Action): void {
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

type Action = Invocation & Pick<HookCapability, 'action' | 'prompt'>;

/** Returns the actions of a handler; it may have one per shell or system. */
function actionsOf(handler: JsonObject): Action[] {
  const general = readInvocation(handler);
  const declared = actionOf(handler);
  const found = Object.entries(handler).flatMap(([key, value]): Action[] => {
    const name = normalizeKey(key);
    if (SHELL_NAMES.includes(name)) return [{ action: 'command', ...readInvocation(value) }];
    if (name !== 'tool' || typeof value !== 'string') return [];
    const { server, input } = handler;
    const tool = typeof server === 'string' ? `${server}/${value}` : value;
    const words = input === undefined || input === null ? [tool] : [tool, textOf(input)];
    return [{ action: declared, ...commandLine(words) }];
  });
  if (found.length === 0 || general.command !== undefined) {
    const isCommand = general.command !== undefined && declared === 'mcp_tool';
    found.unshift({ ...general, action: isCommand ? 'command' : declared });
  }
  return found.map(({ action, command, args }) => ({
    ...general,
    action,
    ...(command === undefined ? {} : { command }),
    args,
  }));
}

function promptOf({ prompt }: JsonObject): { prompt?: string } {
  return typeof prompt === 'string' && prompt !== '' ? { prompt } : {};
}

function without(node: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !names.includes(key)));
}

/** Returns the event of a handler with the enclosing event, so that both are shown. */
function eventOf({ event, trigger, when }: JsonObject, level: Level): string {
  const named = event ?? trigger ?? (isJsonObject(when) ? when['type'] : when);
  return named === undefined || named === null ? level.event : keyPath(level.event, textOf(named));
}

function matcherOf({ matcher, when }: JsonObject, level: Level): { matcher?: string } {
  const limits = isJsonObject(when) ? without(when, ['type']) : {};
  const given = [matcher, Object.keys(limits).length === 0 ? null : limits].flatMap((limit) =>
    limit === undefined || limit === null ? [] : [textOf(limit)],
  );
  const all = level.matcher === undefined ? given : [level.matcher, ...given];
  return all.length === 0 ? {} : { matcher: all.join(', ') };
}

const PART_NAMES: ReadonlySet<string> = new Set([
  ...SHELL_NAMES,
  ...INVOCATION_NAMES,
  'event',
  'input',
  'matcher',
  'trigger',
  'when',
]);

function isEventMember(key: string, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !PART_NAMES.has(normalizeKey(key)) && !isLabel(key, value);
}

function actionOf(handler: JsonObject): string {
  const { type } = handler;
  if (typeof type === 'string' && type !== '') return type;
  const names = new Set(Object.keys(handler).map(normalizeKey));
  if (names.has('url')) return 'http';
  if (names.has('prompt')) return 'prompt';
  return names.has('tool') ? 'mcp_tool' : 'command';
}
