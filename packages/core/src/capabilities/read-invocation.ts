import { canonicalJson, jsonHash } from '../canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Invocation } from './capability.ts';
import { normalizeKey } from './executable-keys.ts';

export interface Source {
  file: string;
  key: string;
}

export const COMMAND_NAMES = ['command', 'cmd', 'run', 'exec', 'program', 'executable', 'script'];
export const SHELL_NAMES = ['bash', 'powershell', 'windows', 'linux', 'osx', 'commandwindows'];
const ARGUMENT_NAMES = ['args', 'arguments', 'argv'];
export const URL_NAMES = ['url', 'httpurl', 'serverurl', 'uri', 'endpoint'];
export const HEADER_NAMES = ['headers', 'httpheaders', 'envhttpheaders'];
export const VARIABLE_NAMES = [
  'env',
  'envs',
  'environment',
  'envvars',
  'envkeys',
  'allowedenvvars',
];
const VARIABLE_NAME_NAMES = ['bearertokenenvvar', 'envkey'];

export const INVOCATION_NAMES: readonly string[] = [
  ...COMMAND_NAMES,
  ...ARGUMENT_NAMES,
  ...URL_NAMES,
  ...HEADER_NAMES,
  ...VARIABLE_NAMES,
  ...VARIABLE_NAME_NAMES,
];

/** Members of a definition without an effect on what runs, such as a timeout. */
export const PRESENTATION_NAMES: ReadonlySet<string> = new Set([
  'description',
  'statusmessage',
  'timeout',
  'timeoutsec',
  'timeoutms',
  'startuptimeoutsec',
  'tooltimeoutsec',
]);

export function readInvocation(definition: Json): Invocation {
  if (!isJsonObject(definition)) return commandLine(words(definition));
  const members = membersOf(definition);
  const [command, ...more] = words(first(members, COMMAND_NAMES));
  const url = first(members, URL_NAMES);
  const headers = pick(members, HEADER_NAMES);
  const environment = pick(members, VARIABLE_NAMES);
  const variables = [
    ...environment.flatMap(namesIn),
    ...pick(members, VARIABLE_NAME_NAMES).flatMap(words),
    ...[url, ...headers, ...environment].flatMap((value) => references(value)),
  ];
  return {
    ...(command === undefined ? {} : { command }),
    args: [...more, ...pick(members, ARGUMENT_NAMES).flatMap(words)],
    ...(url === undefined ? {} : { url: textOf(url) }),
    headers: [...new Set(headers.flatMap(namesIn))],
    variables: [...new Set(variables)],
  };
}

export function commandLine([command, ...args]: readonly string[]): Invocation {
  const started = command === undefined ? {} : { command };
  return { ...started, args, headers: [], variables: [] };
}

/** Returns true if a map is itself a definition with a command or URL, and not a map of definitions. */
export function isInvocation(definition: JsonObject): boolean {
  const members = membersOf(definition);
  return [...COMMAND_NAMES, ...URL_NAMES].some((name) => {
    const value = members.get(name);
    return typeof value === 'string' || (Array.isArray(value) && !value.some(isNested));
  });
}

export function definitionHash(definition: Json): string {
  if (!isJsonObject(definition)) return jsonHash(definition);
  const kept: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(definition)) {
    if (!PRESENTATION_NAMES.has(normalizeKey(key))) kept[key] = value;
  }
  return jsonHash(kept);
}

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** Appends a step to a path of keys. Long names are cut, because every value below repeats them. */
export function keyPath(key: string, step: string | number): string {
  const name = String(step);
  const short = name.length > MAX_STEP ? `${name.slice(0, MAX_STEP)}…` : name;
  return key === '' ? short : `${key}.${short}`;
}

const MAX_STEP = 128;

function membersOf(definition: JsonObject): Map<string, Json> {
  return new Map(Object.entries(definition).map(([key, value]) => [normalizeKey(key), value]));
}

function first(members: ReadonlyMap<string, Json>, names: readonly string[]): Json | undefined {
  return pick(members, names)[0];
}

function pick(members: ReadonlyMap<string, Json>, names: readonly string[]): Json[] {
  return names.flatMap((name) => {
    const value = members.get(name);
    return value === undefined || value === null || value === '' ? [] : [value];
  });
}

/** Returns the words of a command line. A string is one word, even with spaces. */
function words(value: Json | undefined): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (item === undefined || isNested(item) ? [] : [textOf(item)]));
}

function isNested(value: Json): boolean {
  return typeof value === 'object';
}

/** Returns names of headers or environment variables: keys, or items such as `NAME`, `NAME=value` and `{name}`. */
export function namesIn(value: Json): string[] {
  if (isJsonObject(value)) return Object.keys(value);
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const name = isJsonObject(item) ? (item['name'] ?? item) : item;
    return textOf(name).replace(/=.*$/s, '');
  });
}

/**
 * Reference to an environment variable: `${NAME}`, `${NAME:-default}`, `${secret:NAME}`, `${env:NAME}`, `{env:NAME}` or
 * `$NAME`.
 */
const REFERENCE = /\$?\{(?:secret:|env:)([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)|\$([A-Za-z_]\w*)/g;

function references(value: Json | undefined): string[] {
  if (value === undefined) return [];
  return stringsIn(value).flatMap((text) =>
    Array.from(text.matchAll(REFERENCE), ([, one, two, three]) => one ?? two ?? three ?? ''),
  );
}

export function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
