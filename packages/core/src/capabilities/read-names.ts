import { isJsonObject, type Json } from '../json.ts';
import type {
  EnvironmentVariableCapability,
  ExecutableCapability,
  PluginCapability,
  ScriptCapability,
  UnknownExecutableKeyCapability,
} from './capability.ts';
import {
  definitionHash,
  isInvocation,
  keyPath,
  namesIn,
  textOf,
  type Source,
} from './read-invocation.ts';
import { readServers } from './read-servers.ts';
import { isRunningVariable } from './running-variables.ts';
import { isScriptPath } from './script-files.ts';
import { unknownKeys } from './unknown-keys.ts';

/** Lists environment variables. Values are only hashed, unless a program may run them. */
export function readVariables(
  value: Json,
  { file, key }: Source,
): (EnvironmentVariableCapability | UnknownExecutableKeyCapability)[] {
  const definitions = isJsonObject(value)
    ? Object.entries(value)
    : [value]
        .flat()
        .filter((item) => item !== null && item !== '')
        .map((item): [string, Json] => [namesIn([item])[0] ?? '', item]);
  return definitions.flatMap(([name, definition]) => [
    { kind: 'environment_variable' as const, file, name, hash: definitionHash(definition) },
    ...(isRunningVariable(name) && definition !== name
      ? unknownKeys(definition, { file, key: keyPath(key, name) })
      : []),
  ]);
}

export function readPlugins(value: Json, source: Source): ExecutableCapability[] {
  if (Array.isArray(value)) return value.flatMap((item) => listedPlugin(item, source));
  if (!isJsonObject(value)) return listedPlugin(value, source);
  return Object.entries(value).flatMap(([name, definition]): ExecutableCapability[] => {
    if (definition === null || definition === false) return [];
    if (Array.isArray(definition)) return readPlugins(definition, source);
    return [plugin(definition === true ? name : `${name} ${textOf(definition)}`, source)];
  });
}

function listedPlugin(item: Json, source: Source): ExecutableCapability[] {
  if (isJsonObject(item) && isInvocation(item)) return readServers([item], source);
  return item === null || item === false || item === '' ? [] : [plugin(textOf(item), source)];
}

function plugin(name: string, { file, key }: Source): PluginCapability {
  return { kind: 'plugin', file, key, source: name };
}

/** Lists `external_resources`, files by URL and hash. Scripts count like bundled ones. */
export function readExternalFiles(value: Json): ScriptCapability[] {
  return [value].flat().flatMap((entry): ScriptCapability[] => {
    const path = isJsonObject(entry) ? entry['path'] : entry;
    return typeof path === 'string' && isScriptPath(path)
      ? [{ kind: 'script', file: path, executable: false, hash: definitionHash(entry) }]
      : [];
  });
}
