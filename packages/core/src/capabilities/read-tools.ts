import { isJsonObject, type Json } from '../json.ts';
import type {
  AllowedToolCapability,
  ExecutableCapability,
  PermissionCapability,
} from './capability.ts';
import { NARROW_VALUES } from './executable-keys.ts';
import { keyPath, textOf, type Source } from './read-invocation.ts';

/** Lists allowed tools: a string with commas or spaces, a list, or a map. */
export function readTools(value: Json, { file, key }: Source): AllowedToolCapability[] {
  return toolsIn(value).map((tool) => ({ kind: 'allowed_tool', file, key, tool }));
}

function toolsIn(value: Json): string[] {
  if (typeof value === 'string') return splitTools(value);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([tool, on]) => granted(tool, on));
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null && item !== false && item !== '').map(textOf);
}

/** Lists what a tool may do: `bash: true`, `bash: allow` or `bash: {"git *": allow, "*": ask}`. */
function granted(tool: string, on: Json): string[] {
  if (on === null || on === false || on === 'deny' || on === 'ask') return [];
  if (on === true || on === 'allow') return [tool];
  if (!isJsonObject(on)) return [`${tool}(${textOf(on)})`];
  return Object.entries(on)
    .flatMap(([pattern, allowed]) => granted(pattern, allowed))
    .map((pattern) => `${tool}(${pattern})`);
}

/** Splits at commas and spaces outside parentheses: `Bash(git add:*), Read`. */
function splitTools(text: string): string[] {
  const tools: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const sign = text[index] ?? ',';
    const isEnd = index === text.length || (depth === 0 && /[\s,]/.test(sign));
    if (isEnd) {
      if (index > start) tools.push(text.slice(start, index));
      start = index + 1;
    } else if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
  }
  return tools;
}

const NARROWING_MEMBERS: ReadonlySet<string> = new Set([
  'deny',
  'ask',
  'disableBypassPermissionsMode',
]);

/**
 * Lists `permissions` of settings (`allow`, `additionalDirectories`, `defaultMode`), and `permission` of agents, which
 * maps a tool to `allow`, `ask` or `deny`.
 */
export function readPermissions(value: Json, source: Source): ExecutableCapability[] {
  if (isToolSwitch(value) && !isJsonObject(value)) return readPermission(value, source);
  if (!isJsonObject(value)) return readTools(value, source);
  return Object.entries(value).flatMap(([member, given]): ExecutableCapability[] => {
    if (NARROWING_MEMBERS.has(member) && Array.isArray(given)) return [];
    if (isToolSwitch(given)) return readTools({ [member]: given }, source);
    const inside = { file: source.file, key: keyPath(source.key, member) };
    return member === 'allow' ? readTools(given, inside) : readPermission(given, inside);
  });
}

function isToolSwitch(value: Json): boolean {
  if (isJsonObject(value)) return Object.values(value).every(isToolSwitch);
  return typeof value === 'boolean' || value === 'allow' || value === 'ask' || value === 'deny';
}

export function readPermission(value: Json, { file, key }: Source): PermissionCapability[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .filter((one) => grants(one, key))
    .map((one) => ({ kind: 'permission', file, key, value: textOf(one) }));
}

const SANDBOX = /sandbox/i;

/** Returns true if a setting grants something: a sandbox that is off, or another switch that is on. */
function grants(value: Json, key: string): boolean {
  if (value === false) return SANDBOX.test(key);
  if (value === null || value === '') return false;
  return typeof value !== 'string' || !NARROW_VALUES.includes(value.toLowerCase());
}
