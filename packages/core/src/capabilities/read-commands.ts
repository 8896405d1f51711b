import { isJsonObject, type Json } from '../json.ts';
import type { CommandCapability } from './capability.ts';
import {
  definitionHash,
  isInvocation,
  keyPath,
  readInvocation,
  type Source,
} from './read-invocation.ts';

/** Lists commands in settings: a string, a list of words, a definition, or definitions by name. */
export function readCommands(value: Json, { file, key }: Source): CommandCapability[] {
  if (isCommand(value)) {
    const invocation = readInvocation(value);
    return [{ kind: 'command', file, key, ...invocation, hash: definitionHash(value) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, member]) =>
    readCommands(member, { file, key: keyPath(key, step) }),
  );
}

function isCommand(value: Json): boolean {
  if (typeof value === 'string') return value !== '';
  if (Array.isArray(value))
    return value.length > 0 && value.every((word) => typeof word === 'string');
  return isJsonObject(value) && isInvocation(value);
}
