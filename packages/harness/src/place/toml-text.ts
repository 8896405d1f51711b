import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';

/** Renders TOML: scalars first, then tables, each in the given order. Nulls are left out, because TOML has none. */
export function tomlDocument(members: JsonObject): string {
  return tableText(members, []);
}

function tableText(members: JsonObject, path: readonly string[]): string {
  const given = Object.entries(members).filter(([, value]) => value !== null);
  const plain = given.filter(([, value]) => !isJsonObject(value));
  const header = path.length === 0 ? '' : `\n[${path.map(tomlKey).join('.')}]\n`;
  let text = plain.length === 0 && path.length > 0 && given.length > 0 ? '' : header;
  for (const [key, value] of plain) text += `${tomlKey(key)} = ${memberText(value)}\n`;
  for (const [key, value] of given) {
    if (isJsonObject(value)) text += tableText(value, [...path, key]);
  }
  return text;
}

function memberText(value: Json): string {
  return typeof value === 'string' && value.includes('\n')
    ? tomlMultiline(value)
    : tomlInline(value);
}

const BARE_KEY = /^[A-Za-z0-9_-]+$/;

export function tomlKey(key: string): string {
  return BARE_KEY.test(key) ? key : tomlString(key);
}

export function tomlInline(value: Json): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) {
    return `[${value
      .filter((item) => item !== null)
      .map(tomlInline)
      .join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    const texts = members.map(([key, member]) => `${tomlKey(key)} = ${tomlInline(member)}`);
    return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
  }
  return String(value);
}

/** Renders a string like JSON, but escapes DEL and replaces unpaired surrogates, which TOML forbids. */
export function tomlString(text: string): string {
  return escaped(JSON.stringify(text.toWellFormed()));
}

/** Renders a string of several lines; literal if possible, otherwise with escapes. */
function tomlMultiline(text: string): string {
  if (!text.includes("'''") && !text.endsWith("'") && !NOT_LITERAL.test(text)) {
    return `'''\n${text}'''`;
  }
  const lines = text.toWellFormed().split('\n');
  const escapedLines = lines.map((line) => escaped(JSON.stringify(line).slice(1, -1)));
  return `"""\n${escapedLines.join('\n')}"""`;
}

const NOT_LITERAL = /[^\P{Cc}\t\n]|\p{Surrogate}/u;

function escaped(json: string): string {
  return json.replaceAll('\u007F', '\\u007F');
}
