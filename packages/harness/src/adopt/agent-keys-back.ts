import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { McpConfig } from '../adapter.ts';
import { readServer } from './read-server.ts';

export function namesIn(value: Json | undefined): string[] | undefined {
  if (typeof value === 'string') {
    return value
      .split(/,(?![^(]*\))/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
  }
  if (!Array.isArray(value)) return undefined;
  return value.filter((name) => typeof name === 'string');
}

/**
 * Converts tool names with `names`, the table for writing. If several tools share a name, the first one applies.
 * Unknown names stay.
 */
export function canonicalTools(
  value: Json | undefined,
  names: ReadonlyMap<string, string>,
  changes: string[],
): JsonObject {
  const tools = namesIn(value);
  if (tools === undefined) return {};
  const back = new Map([...names].toReversed().map(([canonical, native]) => [native, canonical]));
  return {
    tools: tools.map((tool) => {
      const canonical = back.get(tool) ?? tool;
      if (canonical !== tool) changes.push(`the tool ${tool} is ${canonical}`);
      return canonical;
    }),
  };
}

export function canonicalServers(
  servers: Json | undefined,
  entry: McpConfig['entry'],
  changes: string[],
  common: (entry: JsonObject) => JsonObject = (given) => given,
): JsonObject {
  if (servers === undefined) return {};
  const maps = Array.isArray(servers) ? servers : [servers];
  const read: JsonObject[] = [];
  for (const map of maps) {
    if (!isJsonObject(map)) {
      changes.push(`the server ${JSON.stringify(map)} it refers to is not adopted with it`);
      continue;
    }
    for (const [name, given] of Object.entries(map)) {
      const server = isJsonObject(given) ? readServer(name, given, { entry, common }) : undefined;
      if (server === undefined || 'left' in server) {
        changes.push(`its server ${name} is left`);
      } else {
        read.push({ name, ...server.fields });
        changes.push(...server.changes);
      }
    }
  }
  return read.length === 0 ? {} : { mcpServers: read };
}

export function given(key: string, value: Json | undefined): JsonObject {
  return value === undefined || value === null || value === '' ? {} : { [key]: value };
}
