import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ExecutableCapability, McpServerCapability } from './capability.ts';
import { keyReader } from './executable-keys.ts';
import { readCommands } from './read-commands.ts';
import {
  commandLine,
  definitionHash,
  isInvocation,
  keyPath,
  readInvocation,
  textOf,
  type Source,
} from './read-invocation.ts';
import { readPermission, readTools } from './read-tools.ts';

/**
 * Lists MCP servers: a map or list of definitions, a list of maps with one entry, or names of servers that are
 * configured elsewhere.
 */
export function readServers(value: Json, { file, key }: Source): ExecutableCapability[] {
  return serversIn(value).flatMap(([name, definition]) => [
    readServer(name, definition, file),
    ...readGrants(definition, { file, key: keyPath(key, name) }),
  ]);
}

function readGrants(definition: Json, { file, key }: Source): ExecutableCapability[] {
  if (!isJsonObject(definition)) return [];
  return Object.entries(definition).flatMap(([name, value]): ExecutableCapability[] => {
    const source = { file, key: keyPath(key, name) };
    const reader = keyReader(name);
    if (reader === 'tools') return readTools(value, source);
    if (reader === 'permission') return readPermission(value, source);
    return reader === 'commands' && HELPER.test(name) ? readCommands(value, source) : [];
  });
}

const HELPER = /helper$/i;

/** Lists a server. A definition without a command or URL refers to a server that is configured elsewhere. */
export function readServer(name: string, definition: Json, file: string): McpServerCapability {
  const invocation = isJsonObject(definition) ? readInvocation(definition) : oneText(definition);
  return { kind: 'mcp_server', file, name, ...invocation, hash: definitionHash(definition) };
}

type NamedDefinition = readonly [name: string, definition: Json];

function serversIn(value: Json): NamedDefinition[] {
  if (Array.isArray(value)) return value.flatMap(listedServer);
  if (isJsonObject(value)) {
    return isInvocation(value) ? [[nameOf(value), value]] : Object.entries(value);
  }
  return value === null || value === '' ? [] : [[textOf(value), null]];
}

function listedServer(item: Json): NamedDefinition[] {
  if (!isJsonObject(item)) return serversIn(item);
  if (isInvocation(item) || 'name' in item) return [[nameOf(item), item]];
  return Object.entries(item);
}

function nameOf({ name, id, value }: JsonObject): string {
  return textOf(name ?? id ?? value ?? '');
}

function oneText(definition: Json): ReturnType<typeof commandLine> {
  return commandLine(typeof definition === 'string' ? [definition] : []);
}
