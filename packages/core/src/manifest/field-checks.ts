import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { nearest } from '../text/nearest.ts';
import { shorten } from '../text/shorten.ts';
import type { Finding } from './diagnose.ts';

export interface FieldProblem extends Finding {
  path: (string | number)[];
}

export interface FieldReading {
  path: (string | number)[];
  problems: FieldProblem[];
  /** True if values may contain a password and must not appear in messages. */
  hides_values?: boolean;
}

/** Check of a value: converts it to its type, or reports a problem and returns undefined. */
export interface Check<T> {
  /** Description for messages and the reference, such as `a list of strings`. */
  shape: string;
  read(value: Json, at: FieldReading): T | undefined;
}

export const INVALID_FIELD = 'lint.invalid_field';

const LIST_FIX = 'Write `[one, two]`, or one entry on each line after `- `.';
const MAP_FIX = 'Write `name: value` lines, indented under the key.';

export const MAX_LINE = 1_024;
export const MAX_PROSE = 16_384;
export const MAX_ENTRIES = 256;

export function text(maxLength: number = MAX_LINE): Check<string> {
  const shape = `a string of up to ${maxLength} characters`;
  return {
    shape,
    read(value, at) {
      const read = asText(value);
      if (read === undefined) {
        const isCollection = typeof value === 'object';
        return reject(
          at,
          value,
          shape,
          isCollection ? 'Write a single string.' : 'Put it in quotes.',
        );
      }
      if (read.length <= maxLength) return read;
      return rejectSize(at, `${read.length} characters`, maxLength);
    },
  };
}

export function matching(pattern: RegExp, shape: string, code: string, fix: string): Check<string> {
  return {
    shape,
    read(value, at) {
      const read = asText(value);
      if (read === undefined) return reject(at, value, shape, fix);
      if (pattern.test(read)) return read;
      report(at, code, mismatch(at, read, shape), fix);
      return undefined;
    },
  };
}

export function oneOf<const T extends string>(
  values: readonly T[],
  code: string = INVALID_FIELD,
): Check<T> {
  const shape = [values.slice(0, -1).join(', '), ...values.slice(-1)].filter(Boolean).join(' or ');
  return {
    shape,
    read(value, at) {
      const found = values.find((allowed) => allowed === value);
      if (found !== undefined) return found;
      const read = asText(value);
      const near = read === undefined ? undefined : nearest(read, values);
      const fix =
        near === undefined ? `Choose one of ${values.join(', ')}.` : `Did you mean \`${near}\`?`;
      report(at, code, mismatch(at, value, shape), fix);
      return undefined;
    },
  };
}

export function flag(): Check<boolean> {
  const shape = 'true or false';
  return {
    shape,
    read: (value, at) =>
      typeof value === 'boolean'
        ? value
        : reject(at, value, shape, 'Write `true` or `false`, without quotes.'),
  };
}

export function integerBetween(min: number, max: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const shape = `an integer from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`;
  return {
    shape,
    read: (value, at) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : reject(at, value, shape, 'Write the number in plain digits, without quotes.'),
  };
}

export function listOf<T>(item: Check<T>, maxEntries: number = MAX_ENTRIES): Check<T[]> {
  const shape = `a list; each entry is ${item.shape}`;
  return {
    shape,
    read(value, at) {
      if (!Array.isArray(value)) return reject(at, value, 'a list', LIST_FIX);
      if (value.length > maxEntries) return rejectSize(at, `${value.length} entries`, maxEntries);
      const read: T[] = [];
      for (const [index, entry] of value.entries()) {
        const checked = readAt(item, entry, index, at);
        if (checked !== undefined) read.push(checked);
      }
      return read.length === value.length ? read : undefined;
    },
  };
}

export function mapOf<T>(member: Check<T>): Check<Record<string, T>> {
  const shape = `a map; each value is ${member.shape}`;
  return {
    shape,
    read(value, at) {
      if (!isJsonObject(value)) return rejectMap(at, value);
      const read: Record<string, T> = Object.create(null);
      let complete = true;
      for (const [name, entry] of Object.entries(value)) {
        const checked = readAt(member, entry, name, at);
        if (checked === undefined) complete = false;
        else read[name] = checked;
      }
      return complete ? read : undefined;
    },
  };
}

export interface Member<T> {
  name: string;
  shape: string;
  read(value: Json, into: T, at: FieldReading): void;
}

export function member<T, K extends keyof T & string>(
  name: K,
  check: Check<NonNullable<T[K]>>,
): Member<T> {
  return {
    name,
    shape: check.shape,
    read(value, into, at) {
      const checked = readAt(check, value, name, at);
      if (checked !== undefined) into[name] = checked;
    },
  };
}

export interface RecordShape<T> {
  create: () => T;
  members: readonly Member<T>[];
  required?: readonly (keyof T & string)[];
  /** True to reject unknown members (SPEC-36); otherwise they are ignored. */
  strict?: true;
  /** True to reject a key without a value; otherwise it counts as absent. */
  rejects_empty?: true;
}

export function record<T extends object>(shape: RecordShape<T>): Check<T> {
  return {
    shape: `a map with ${shape.members.map((member) => `\`${member.name}\``).join(', ')}`,
    read(value, at) {
      if (!isJsonObject(value)) return rejectMap(at, value);
      const before = at.problems.length;
      const read = readRecord(value, shape, at);
      return at.problems.length === before ? read : undefined;
    },
  };
}

export function readRecord<T extends object>(
  values: JsonObject,
  shape: RecordShape<T>,
  at: FieldReading,
): T {
  const members = new Map(shape.members.map((member) => [member.name, member]));
  const read = shape.create();
  readMembers(values, members, read, at, shape.rejects_empty);
  for (const name of shape.required ?? []) if (isAbsent(values[name])) reportMissing(at, name);
  if (shape.strict === true) reportUnknown(values, members, at);
  return read;
}

export function readMembers<T extends object>(
  values: JsonObject,
  members: ReadonlyMap<string, Member<T>>,
  into: T,
  at: FieldReading,
  readsEmpty = false,
): void {
  for (const name in values) {
    const value = values[name];
    if (value !== undefined && (value !== null || readsEmpty))
      members.get(name)?.read(value, into, at);
  }
}

export function report(at: FieldReading, code: string, message: string, fix: string): void {
  at.problems.push({ path: [...at.path], code, message, fix });
}

export function reject(at: FieldReading, value: Json, shape: string, fix: string): undefined {
  report(at, INVALID_FIELD, mismatch(at, value, shape), fix);
  return undefined;
}

export function rejectMap(at: FieldReading, value: Json): undefined {
  return reject(at, value, 'a map', MAP_FIX);
}

function rejectSize(at: FieldReading, size: string, limit: number): undefined {
  report(at, INVALID_FIELD, `${label(at)} has ${size}; the limit is ${limit}.`, 'Shorten it.');
  return undefined;
}

/** Converts a value to a string. Numbers keep the spelling of the author (`readYaml`). */
export function asText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function readAt<T>(
  check: Check<T>,
  value: Json,
  step: string | number,
  at: FieldReading,
): T | undefined {
  at.path.push(step);
  const checked = check.read(value, at);
  at.path.pop();
  return checked;
}

function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function reportMissing(at: FieldReading, name: string): void {
  report(at, INVALID_FIELD, `${label(at)} has no \`${name}\`.`, `Add \`${name}\`.`);
}

function reportUnknown(
  values: JsonObject,
  members: ReadonlyMap<string, unknown>,
  at: FieldReading,
): void {
  for (const name of Object.keys(values)) {
    if (members.has(name)) continue;
    const near = nearest(name, members.keys());
    const fix =
      near === undefined
        ? `Known keys: ${[...members.keys()].join(', ')}.`
        : `Did you mean \`${near}\`?`;
    at.problems.push({
      path: [...at.path, name],
      code: INVALID_FIELD,
      message: `Unknown key \`${shorten(name)}\`.`,
      fix,
    });
  }
}

export function label(at: FieldReading): string {
  let text = '';
  for (const step of at.path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${shorten(step)}`;
  }
  return text === '' ? 'The file' : `\`${text}\``;
}

function mismatch(at: FieldReading, value: Json, shape: string): string {
  const found = at.hides_values === true ? '' : `, but is ${describe(value)}`;
  return `${label(at)} must be ${shape}${found}.`;
}

function describe(value: Json): string {
  if (value === null || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return `\`${shorten(String(value))}\``;
}
