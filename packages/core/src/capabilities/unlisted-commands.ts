import { isJsonObject, type Json } from '../json.ts';
import type {
  ExecutableCapability,
  Invocation,
  UnknownExecutableKeyCapability,
} from './capability.ts';
import { NARROW_VALUES, normalizeKey } from './executable-keys.ts';
import { formatCommandLine, isPrintedWhole } from './format-capability.ts';
import {
  COMMAND_NAMES,
  HEADER_NAMES,
  PRESENTATION_NAMES,
  SHELL_NAMES,
  URL_NAMES,
  VARIABLE_NAMES,
  keyPath,
  type Source,
} from './read-invocation.ts';
import { isRunningVariable } from './running-variables.ts';
import { unknownKeys } from './unknown-keys.ts';

const RUN_NAMES: ReadonlySet<string> = new Set([
  ...COMMAND_NAMES,
  ...SHELL_NAMES,
  ...URL_NAMES,
  'hooks',
]);

/** Members that label or limit a handler; their strings are not commands. */
const LABEL_NAMES: ReadonlySet<string> = new Set([
  ...PRESENTATION_NAMES,
  ...'type matcher event trigger when if name id model version transport'.split(' '),
  ...'commandregex glob globs pattern patterns cwd workingdirectory'.split(' '),
  ...'bearertokenenvvar envkey'.split(' '),
]);

/** Limit of searches in listed values. Above it, a string counts as not listed. */
const MAX_SEARCHES = 1_000;

/** Members whose values may be secret. Only the names are shown, except for values that programs run. */
const SECRET_NAMES: ReadonlySet<string> = new Set([...HEADER_NAMES, ...VARIABLE_NAMES]);

/**
 * Lists strings that might run and that `found` does not show: harnesses read mixed structures differently, and a key
 * can have two spellings. With `everything`, all strings except labels might run; otherwise only those below a member
 * such as `command`.
 */
export function unlistedCommands(
  value: Json,
  found: readonly ExecutableCapability[],
  source: Source,
  everything: boolean,
): UnknownExecutableKeyCapability[] {
  const shown = new Set(found.flatMap(runStrings));
  const printed = found.flatMap(printedValues);
  let searches = 0;
  return visit(value, source, everything);

  function visit(node: Json, at: Source, mayRun: boolean): UnknownExecutableKeyCapability[] {
    if (typeof node === 'string') {
      return mayRun && node !== '' && !isShown(node) ? unknownKeys(node, at) : [];
    }
    if (typeof node !== 'object' || node === null) return [];
    const isList = Array.isArray(node);
    const isSecret = SECRET_NAMES.has(normalizeKey(at.key));
    return Object.entries(node).flatMap(([step, member]) => {
      const isRun = isSecret && isRunningVariable(isList ? variableIn(member) : step);
      if (isSecret && typeof member === 'string' && !isRun) return [];
      if (!isList && !isRun && isLabel(step, member)) return [];
      const inside = { file: at.file, key: keyPath(at.key, step) };
      const isCommand = isRun || (!isList && RUN_NAMES.has(normalizeKey(step)));
      return visit(member, inside, mayRun || isCommand);
    });
  }

  function isShown(text: string): boolean {
    if (shown.has(text)) return true;
    searches += 1;
    const quoted = JSON.stringify(text);
    return searches <= MAX_SEARCHES && printed.some((value) => value.includes(quoted));
  }
}

function variableIn(item: Json): string {
  if (typeof item === 'string') return item.includes('=') ? item.slice(0, item.indexOf('=')) : '';
  if (!isJsonObject(item)) return '';
  const name = item['name'] ?? item['key'];
  return typeof name === 'string' ? name : '';
}

export function isLabel(key: string, value: Json): boolean {
  const name = normalizeKey(key);
  const texts = [value].flat();
  if (!texts.every((text) => typeof text === 'string')) return false;
  return (
    LABEL_NAMES.has(name) ||
    (name === 'shell' && texts.every((text) => NARROW_VALUES.includes(text)))
  );
}

/** Returns the strings of a capability that `formatCapability` shows as something that runs, if they are not cut. */
function runStrings(capability: ExecutableCapability): string[] {
  if (!('args' in capability)) return [];
  const { command, url } = capability;
  const isHook = capability.kind === 'hook';
  return [
    ...[command, url, isHook ? capability.prompt : undefined].filter((text) => text !== undefined),
    // formatCapability prints a tool after its server.
    ...(isHook && capability.action === 'mcp_tool' ? (command ?? '').split('/') : []),
    ...printedArguments(capability),
  ];
}

function printedValues(capability: ExecutableCapability): string[] {
  const limits = capability.kind === 'hook' ? [capability.event, capability.matcher ?? ''] : [];
  const words = 'args' in capability ? printedArguments(capability) : [];
  return [...limits.filter(isPrintedWhole), ...words];
}

function printedArguments({ command, args }: Invocation): readonly string[] {
  return command !== undefined && isPrintedWhole(formatCommandLine(command, args)) ? args : [];
}
