import { jsonHash } from '../canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Reading } from './capability-reading.ts';
import type { ExecutableCapability } from './capability.ts';
import { keyReader, normalizeKey, type KeyReader } from './executable-keys.ts';
import { holdsExecutableMember, looksExecutable } from './looks-executable.ts';
import { readCommands } from './read-commands.ts';
import { readHooks } from './read-hooks.ts';
import { keyPath, type Source } from './read-invocation.ts';
import { readExternalFiles, readPlugins, readVariables } from './read-names.ts';
import { readServers } from './read-servers.ts';
import { readPermission, readPermissions, readTools } from './read-tools.ts';

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

/** Reads the top-level keys of frontmatter or settings. */
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
      return looksExecutable(name, member) ? [unknownKey(member, inside)] : [];
    });
  }
  const reader = keyReader(source.key);
  if (reader === 'opaque') return [];
  if (reader === 'unknown') {
    return looksExecutable(source.key, value) ? [unknownKey(value, source)] : [];
  }
  const found = reader === 'inert' ? [] : READERS[reader](value, source);
  // A known key in an unknown form is no safer than an unknown key.
  return found.length === 0 && holdsExecutableMember(value) ? [unknownKey(value, source)] : found;
}

function unknownKey(value: Json, { file, key }: Source): ExecutableCapability {
  return { kind: 'unknown_executable_key', file, key, hash: jsonHash(value) };
}
