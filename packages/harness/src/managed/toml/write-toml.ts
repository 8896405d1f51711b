import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { BracketLayout } from '../edit-container.ts';

/** Returns the layout of brackets, in which new items are on the existing line. */
export function bracketLayout(eol: string): BracketLayout {
  return { eol, unit: '  ', spaced: true, one_line: true };
}

/** Converts a value for TOML: without nulls and unpaired surrogates. */
export function tomlValue(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.filter((element) => element !== null).map(tomlValue);
  if (!isJsonObject(value)) return value;
  const object: JsonObject = Object.create(null);
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    if (member !== null) object[key.toWellFormed()] = tomlValue(member);
  }
  return object;
}

export function writeKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : writeString(key);
}

export function writeKeys(path: readonly string[]): string {
  return path.map(writeKey).join('.');
}

export function writeInline(value: Json): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value).map((key) => writePair(key, value[key] ?? null));
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function writePair(key: string, value: Json): string {
  return `${writeKey(key)} = ${writeInline(value)}`;
}

/** Writes a table. Nested objects and lists of objects become their own tables. */
export function writeTable(
  path: readonly string[],
  table: JsonObject,
  kind: 'table' | 'element',
  eol: string,
): string {
  const lines = [kind === 'table' ? `[${writeKeys(path)}]` : `[[${writeKeys(path)}]]`];
  const inner: string[] = [];
  for (const key of Object.keys(table)) {
    const value = table[key] ?? null;
    const at = [...path, key];
    if (isJsonObject(value) && Object.keys(value).length > 0) {
      inner.push(writeTable(at, value, 'table', eol));
    } else if (Array.isArray(value) && value.length > 0 && value.every(isJsonObject)) {
      inner.push(...value.map((element) => writeTable(at, element, 'element', eol)));
    } else {
      lines.push(writePair(key, value));
    }
  }
  return [lines.join(eol), ...inner].join(eol + eol);
}

/** Writes a number. An integer outside the safe range becomes a float, because not every parser supports it. */
function writeNumber(value: number): string {
  const text = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

function writeString(value: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what TOML forbids in a string
  const escaped = value.replaceAll(/["\\\u0000-\u001f\u007f]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(4, '0');
    return ESCAPES[sign] ?? `\\u${code}`;
  });
  return `"${escaped}"`;
}
