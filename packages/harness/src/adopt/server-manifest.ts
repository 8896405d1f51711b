import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { mcpEntry } from '../place/mcp-server.ts';
import type { SkippedContent } from './adopt-source.ts';
import { readServer, type ServerReading } from './read-server.ts';

/** Form in which all values are already canonical. */
const FORM = {
  entry: mcpEntry({ secret: (name) => `\${secret:${name}}` }),
  common: (entry: JsonObject): JsonObject => entry,
};

const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ['npm', { command: 'npx', args: (name, version) => ['-y', withVersion(name, '@', version)] }],
  ['pypi', { command: 'uvx', args: (name, version) => [withVersion(name, '==', version)] }],
  [
    'nuget',
    { command: 'dnx', args: (name, version) => ['--yes', withVersion(name, '@', version)] },
  ],
  ['oci', { command: 'docker', args: (name, version) => [withVersion(name, ':', version)] }],
]);

interface Runner {
  command: string;
  args: (name: string, version: string) => string[];
}

const DOCKER_OPTIONS = ['-i', '--rm'];

/** Converts a `server.json`. A remote endpoint is preferred, because it runs no program on the user's machine. */
export function readServerManifest(
  manifest: JsonObject,
): (ServerReading & { name: string }) | SkippedContent {
  const { name: full, description } = manifest;
  if (typeof full !== 'string' || !SERVER_NAME.test(full)) {
    return { left: 'its name is not of the form namespace/name' };
  }
  const name = full.slice(full.indexOf('/') + 1);
  const remotes = objectsIn(manifest['remotes']);
  const packages = objectsIn(manifest['packages']);
  const remote =
    remotes.find(({ type }) => type === 'streamable-http') ??
    remotes.find(({ type }) => type === 'sse');
  const local = packages.find(({ registryType }) => RUNNERS.has(textOf(registryType)));
  const changes: string[] = [];
  const entry =
    remote === undefined ? local && packageEntry(local, changes) : remoteEntry(remote, changes);
  if (entry === undefined) {
    const types = packages.map(({ registryType }) => textOf(registryType)).join(', ');
    return {
      left: `it has no remote endpoint, and no package that catalog can start${types && ` (${types})`}`,
    };
  }
  const chosen = remote ?? local;
  const others = [...remotes, ...packages].filter((one) => one !== chosen).map(titleOf);
  if (others.length > 0) changes.push(`not kept: ${others.join(', ')}`);
  const reading = readServer(name, entry, FORM);
  if ('left' in reading) return reading;
  const described = typeof description === 'string' ? { description } : {};
  return {
    name,
    fields: { ...described, ...reading.fields },
    changes: [...changes, ...reading.changes],
  };
}

const SERVER_NAME = /^[a-zA-Z0-9.-]{1,100}\/[a-zA-Z0-9._-]{1,100}$/;

function remoteEntry({ type, url, headers, variables }: JsonObject, changes: string[]): JsonObject {
  const values = inputs(headers, changes);
  return {
    type: type === 'sse' ? 'sse' : 'http',
    url: typeof url === 'string' ? filled(url, variables, changes) : '',
    ...(values.length === 0 ? {} : { headers: Object.fromEntries(values) }),
  };
}

function packageEntry(given: JsonObject, changes: string[]): JsonObject | undefined {
  const { registryType, identifier, version, runtimeHint } = given;
  const runner = RUNNERS.get(textOf(registryType));
  // A name that starts with a hyphen would be an option of the runner.
  if (runner === undefined || typeof identifier !== 'string' || !PACKAGE_NAME.test(identifier)) {
    return undefined;
  }
  if (typeof runtimeHint === 'string' && runtimeHint !== runner.command) {
    changes.push(`${runner.command} starts it, not ${runtimeHint}`);
  }
  const env = inputs(given['environmentVariables'], changes);
  // A container does not inherit the environment.
  const handed = runner.command === 'docker' ? env.map(([name]) => `--env=${name}`) : [];
  return {
    command: runner.command,
    args: [
      ...(runner.command === 'docker' ? ['run', ...handed, ...DOCKER_OPTIONS] : []),
      ...argumentsOf(given['runtimeArguments'], changes),
      ...runner.args(identifier, typeof version === 'string' ? version : ''),
      ...argumentsOf(given['packageArguments'], changes),
    ],
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

const PACKAGE_NAME = /^[@\w][\w./:@-]*$/;

function withVersion(name: string, sign: string, version: string): string {
  return version === '' ? name : `${name}${sign}${version}`;
}

function argumentsOf(given: Json | undefined, changes: string[]): string[] {
  return objectsIn(given).flatMap((argument) => {
    const { type, name, valueHint } = argument;
    const value = valueOf(argument, textOf(name ?? valueHint) || 'argument', changes);
    const flag = type === 'named' && typeof name === 'string' ? [name] : [];
    if (value === undefined) return argument['isRequired'] === true ? flag : [];
    return [...flag, value];
  });
}

function inputs(given: Json | undefined, changes: string[]): [name: string, value: string][] {
  return objectsIn(given).flatMap((input) => {
    const { name } = input;
    if (typeof name !== 'string' || name === '') return [];
    const value = valueOf(input, name, changes);
    return value === undefined ? [] : [[name, value]];
  });
}

/** Returns a value; a reference if a required or secret one has no default. */
function valueOf(input: JsonObject, name: string, changes: string[]): string | undefined {
  const text = input['value'] ?? input['default'];
  if (typeof text === 'string') return filled(text, input['variables'], changes);
  if (input['isRequired'] !== true && input['isSecret'] !== true) return undefined;
  return reference(name, changes);
}

function filled(text: string, variables: Json | undefined, changes: string[]): string {
  if (!isJsonObject(variables)) return text;
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = variables[name];
    if (!isJsonObject(variable)) return whole;
    const value = variable['value'] ?? variable['default'];
    return typeof value === 'string' ? value : reference(name, changes);
  });
}

function reference(name: string, changes: string[]): string {
  const variable = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const secret = `\${secret:${/^[A-Z]/.test(variable) ? variable : `_${variable}`}}`;
  changes.push(`set ${secret}: the server needs a value for ${name}`);
  return secret;
}

function titleOf({ type, url, registryType, identifier }: JsonObject): string {
  return `${textOf(registryType ?? type)} ${textOf(identifier ?? url)}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function objectsIn(given: Json | undefined): JsonObject[] {
  return Array.isArray(given) ? given.filter(isJsonObject) : [];
}
