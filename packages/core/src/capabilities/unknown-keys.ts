import { jsonHash } from '../canonical-json.ts';
import type { Json } from '../json.ts';
import type { UnknownExecutableKeyCapability } from './capability.ts';
import { isPrintedWhole } from './format-capability.ts';
import { keyPath, textOf, type Source } from './read-invocation.ts';

/** Lists the value of an unknown key. A long value is listed by member, so that padding cannot hide a command. */
export function unknownKeys(value: Json, { file, key }: Source): UnknownExecutableKeyCapability[] {
  const text = textOf(value);
  if (typeof value === 'object' && value !== null && !isPrintedWhole(text)) {
    return Object.entries(value).flatMap(([step, member]) =>
      unknownKeys(member, { file, key: keyPath(key, step) }),
    );
  }
  return [{ kind: 'unknown_executable_key', file, key, value: text, hash: jsonHash(value) }];
}
