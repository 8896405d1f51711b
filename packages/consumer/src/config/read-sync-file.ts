import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isJsonObject, type Json } from '@catalog/core/json';
import { offsetOf, type ValuePath } from '@catalog/core/manifest/locate';
import { positionAt } from '@catalog/core/manifest/position';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { nearest } from '@catalog/core/text/nearest';
import { SYNC_FILE_KEYS, type Shape } from './sync-file-keys.ts';
import type { SyncFile } from './types.ts';

/** Reads one `sync.yaml`. Anything that is not a known key with a fitting value is refused by its place. */
export function readSyncFile(text: string, file: string): SyncFile {
  const yaml = readYaml(text);
  if (yaml.kind === 'refused') {
    const { message, fix, offset } = yaml.refusal;
    throw invalid({ text, file }, offset, message, fix);
  }
  check(yaml.values, { kind: 'object', members: SYNC_FILE_KEYS }, [], { text, file });
  return yaml.values;
}

/** Refuses keys of the user's own file (`user_only`) in any other. */
export function refuseUserOnlyKeys(content: SyncFile, source: Source): void {
  const key = Object.keys(content).find((name) => SYNC_FILE_KEYS[name]?.user_only === true);
  if (key === undefined) return;
  throw invalid(
    source,
    offsetOf(source.text, [key]) ?? 0,
    `${key} is allowed only in ~/.catalog/sync.yaml.`,
    'Move it there. A file that may come with a clone cannot grant itself exceptions.',
  );
}

/** Refuses `allow` outside the user's own file: other files can only tighten the policy. */
export function refuseLooseRules({ executable_content = [] }: SyncFile, source: Source): void {
  const index = executable_content.findIndex(({ policy }) => policy === 'allow');
  if (index === -1) return;
  throw invalid(
    source,
    offsetOf(source.text, ['executable_content', index, 'policy']) ?? 0,
    `executable_content[${index}].policy: allow is permitted only in ~/.catalog/sync.yaml.`,
    'Use ask or deny here. A file that may come with a clone can only make the policy stricter.',
  );
}

interface Source {
  text: string;
  file: string;
}

const TEXT: Shape = { kind: 'string' };

function check(value: Json, shape: Shape, path: ValuePath, source: Source): void {
  switch (shape.kind) {
    case 'string':
      if (typeof value !== 'string' || value === '') throw unfit(source, path, 'must be a string');
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw unfit(source, path, 'must be true or false');
      return;
    case 'enum':
      checkEnum(value, shape, path, source);
      return;
    case 'list':
      if (!Array.isArray(value)) throw unfit(source, path, 'must be a list');
      for (const [index, item] of value.entries()) check(item, shape.of, [...path, index], source);
      return;
    case 'texts':
      check(value, Array.isArray(value) ? { kind: 'list', of: TEXT } : TEXT, path, source);
      return;
    case 'map':
      for (const [name, item] of members(value, path, source)) {
        check(item, shape.of, [...path, name], source);
      }
      return;
    case 'object':
      checkObject(value, shape, path, source);
  }
}

function checkEnum(
  value: Json,
  { values, unsupported }: Extract<Shape, { kind: 'enum' }>,
  path: ValuePath,
  source: Source,
): void {
  if (typeof value === 'string' && values.includes(value)) return;
  if (typeof value === 'string' && unsupported?.values.includes(value) === true) {
    const message = `${spell(path)}: ${value} is not supported: ${unsupported.why}.`;
    throw invalid(source, offsetOf(source.text, path) ?? 0, message, unsupported.fix);
  }
  const allowed = values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
  throw unfit(source, path, `must be ${allowed}`);
}

function checkObject(
  value: Json,
  shape: Extract<Shape, { kind: 'object' }>,
  path: ValuePath,
  source: Source,
): void {
  const present = new Set<string>();
  for (const [name, item] of members(value, path, source)) {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (member === undefined) throw unknownKey(source, [...path, name], Object.keys(shape.members));
    check(item, member.shape, [...path, name], source);
    present.add(name);
  }
  for (const [name, member] of Object.entries(shape.members)) {
    if (member.required === true && !present.has(name)) {
      throw unfit(source, [...path, name], 'is missing');
    }
  }
}

function members(value: Json, path: ValuePath, source: Source): [string, Json][] {
  if (!isJsonObject(value)) throw unfit(source, path, 'must be a map of keys to values');
  return Object.entries(value);
}

function unknownKey(source: Source, path: ValuePath, known: readonly string[]): CatalogError {
  const near = nearest(String(path.at(-1)), known);
  const hint = near === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean ${near}?`;
  return invalid(source, offsetOf(source.text, path) ?? 0, `unknown key ${spell(path)}.`, hint);
}

function unfit(source: Source, path: ValuePath, problem: string): CatalogError {
  return invalid(
    source,
    offsetOf(source.text, path) ?? 0,
    `${spell(path)} ${problem}.`,
    'Fix the value; `catalog config show` prints the effective configuration.',
  );
}

function spell(path: ValuePath): string {
  let key = '';
  for (const step of path) {
    if (typeof step === 'number') key += `[${step}]`;
    else key += key === '' ? step : `.${step}`;
  }
  return key;
}

function invalid(source: Source, offset: number, message: string, next: string): CatalogError {
  const { line, column, excerpt } = positionAt(source.text, offset);
  return new CatalogError('config.invalid', `${source.file}:${line}:${column}: ${message}`, {
    details: { file: source.file, line, column, excerpt },
    suggested_action: next,
  });
}
