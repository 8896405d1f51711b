import type { Json, JsonObject } from '@catalog/core/json';
import {
  INVALID_FIELD,
  flag,
  label,
  listOf,
  mapOf,
  member,
  oneOf,
  record,
  reject,
  report,
  type Check,
  type RecordShape,
} from '@catalog/core/manifest/field-checks';
import { invalidValue, readConfig, type ConfigText } from '@catalog/core/manifest/read-config';
import { SYNC_FILE_KEYS, type Member, type Shape } from './sync-file-keys.ts';
import type { SyncFile } from './types.ts';

export function readSyncFile(text: string, file: string): SyncFile {
  return readConfig(text, file, SYNC_FILE);
}

export function refuseUserOnlyKeys(content: SyncFile, source: ConfigText): void {
  const key = Object.keys(content).find((name) => SYNC_FILE_KEYS[name]?.user_only === true);
  if (key === undefined) return;
  throw invalidValue(source, {
    path: [key],
    message: `${key} is allowed only in ~/.catalog/sync.yaml.`,
    fix: 'Move it there. A file that may come with a clone cannot grant itself exceptions.',
  });
}

/** Rejects `allow` outside the user's own file: other files can only make the policy stricter. */
export function rejectAllowRules({ executable_content = [] }: SyncFile, source: ConfigText): void {
  const index = executable_content.findIndex(({ policy }) => policy === 'allow');
  if (index === -1) return;
  throw invalidValue(source, {
    path: ['executable_content', index, 'policy'],
    message: `executable_content[${index}].policy: allow is permitted only in ~/.catalog/sync.yaml.`,
    fix: 'Use ask or deny here. A file that may come with a clone can only make the policy stricter.',
  });
}

type Value = NonNullable<Json>;

/** Accepts non-empty strings; unlike in a manifest, numbers are rejected. */
const STRING: Check<string> = {
  shape: 'a string',
  read: (value, at) =>
    typeof value === 'string' && value !== ''
      ? value
      : reject(at, value, 'a string', 'Write a string, in quotes if it looks like a number.'),
};
const STRINGS = listOf(STRING, Infinity);
const STRING_OR_STRINGS: Check<string | string[]> = {
  shape: 'a string, or a list of strings',
  read: (value, at) => (Array.isArray(value) ? STRINGS : STRING).read(value, at),
};

const SYNC_FILE = toRecord(SYNC_FILE_KEYS);

function toRecord(members: Readonly<Record<string, Member>>): RecordShape<JsonObject> {
  const entries = Object.entries(members);
  return {
    create: () => ({}),
    members: entries.map(([name, { shape }]) => member(name, toCheck(shape))),
    required: entries.filter(([, { required }]) => required === true).map(([name]) => name),
    strict: true,
    rejects_empty: true,
  };
}

function toCheck(shape: Shape): Check<Value> {
  switch (shape.kind) {
    case 'string':
      return STRING;
    case 'texts':
      return STRING_OR_STRINGS;
    case 'boolean':
      return flag();
    case 'enum':
      return toChoice(shape);
    case 'list':
      return listOf(toCheck(shape.of), Infinity);
    case 'map':
      return mapOf(toCheck(shape.of));
    case 'object':
      break;
  }
  return record(toRecord(shape.members));
}

function toChoice({ values, unsupported }: Extract<Shape, { kind: 'enum' }>): Check<string> {
  const choice = oneOf(values);
  if (unsupported === undefined) return choice;
  return {
    shape: choice.shape,
    read(value, at) {
      if (typeof value !== 'string' || !unsupported.values.includes(value)) {
        return choice.read(value, at);
      }
      const message = `${label(at)}: ${value} is not supported: ${unsupported.why}.`;
      report(at, INVALID_FIELD, message, unsupported.fix);
      return undefined;
    },
  };
}
