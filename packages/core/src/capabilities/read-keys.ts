import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Reading } from './capability-reading.ts';
import type { ExecutableCapability } from './capability.ts';
import { capabilityKey } from './capability-key.ts';
import { keyReader, normalizeKey, type KeyReader } from './executable-keys.ts';
import { holdsExecutableMember, looksExecutable } from './looks-executable.ts';
import { readCommands } from './read-commands.ts';
import { readHooks } from './read-hooks.ts';
import { keyPath, type Source } from './read-invocation.ts';
import { readExternalFiles, readPlugins, readVariables } from './read-names.ts';
import { readServers } from './read-servers.ts';
import { readPermission, readPermissions, readTools } from './read-tools.ts';
import { unknownKeys } from './unknown-keys.ts';
import { unlistedCommands } from './unlisted-commands.ts';

type Read = (value: Json, source: Source) => ExecutableCapability[];

const READERS: Readonly<Record<KeyReader, Read>> = {
  hooks: readHooks,
  servers: readServers,
  commands: readCommands,
  tools: readTools,
  permissions: readPermissions,
  permission: readPermission,
  variables: readVariables,
  plugins: readPlugins,
  external_files: readExternalFiles,
};

/** Structures in which harnesses disagree on what runs; other structures are listed as a whole. */
const CHECKED_READERS: ReadonlySet<string> = new Set(['hooks', 'servers', 'commands', 'variables']);

export function readKeys(values: JsonObject, file: string): Reading {
  const keys = Object.entries(values)
    .map(([key, value]) => ({ value, found: readKey(value, { file, key: keyPath('', key) }) }))
    .filter(({ found }) => found.length > 0);
  return {
    capabilities: keys.flatMap(({ found }) => found),
    mentions: keys.map(({ value }) => value),
  };
}

function readKey(value: Json, source: Source): ExecutableCapability[] {
  if (normalizeKey(source.key) === 'metadata' && isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => {
      const inside = { file: source.file, key: keyPath(source.key, name) };
      return looksExecutable(name, member) ? unknownKeys(member, inside) : [];
    });
  }
  const reader = keyReader(source.key);
  if (reader === 'opaque') return [];
  if (reader === 'unknown') {
    return looksExecutable(source.key, value) ? unknownKeys(value, source) : [];
  }
  if (reader !== 'inert') return readAs(reader, value, source);
  return holdsExecutableMember(value) ? unknownKeys(value, source) : [];
}

/** Lists capabilities of a known key. An unexpected value is handled like an unknown key. */
export function readAs(reader: KeyReader, value: Json, source: Source): ExecutableCapability[] {
  const read = READERS[reader](value, source);
  if (read.length === 0 && holdsExecutableMember(value)) return unknownKeys(value, source);
  if (!CHECKED_READERS.has(reader)) return read;
  const found = [...new Map(read.map((one) => [capabilityKey(one), one])).values()];
  return [...found, ...unlistedCommands(value, found, source, reader === 'hooks')];
}
