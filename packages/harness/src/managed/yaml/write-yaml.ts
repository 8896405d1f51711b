import type { Json } from '@catalog/core/json';
import type { YamlStyle } from './yaml-style.ts';

/**
 * Writes a value. The caller writes the indentation of the first line. Strings stay on one line, so that following
 * lines cannot become part of them.
 */
export function writeBlock(value: Json, column: number, style: YamlStyle): string {
  const separator = style.eol + ' '.repeat(column);
  if (Array.isArray(value) && value.length > 0) {
    return value.map((element) => writeElement(element, column, style)).join(separator);
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const keys = Object.keys(value);
    return keys.map((key) => writeMember(key, value[key] ?? null, column, style)).join(separator);
  }
  return writeFlow(value);
}

export function writeElement(element: Json, column: number, style: YamlStyle): string {
  return `- ${writeBlock(element, column + 2, style)}`;
}

export function writeMember(key: string, value: Json, column: number, style: YamlStyle): string {
  const isList = Array.isArray(value);
  if (!(isList || isObject(value)) || Object.keys(value).length === 0) {
    return `${writeText(key)}: ${writeFlow(value)}`;
  }
  const inner = column + (isList ? style.list_step : style.map_step);
  return `${writeText(key)}:${style.eol}${' '.repeat(inner)}${writeBlock(value, inner, style)}`;
}

export function writeFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  if (isObject(value)) {
    return `{${Object.keys(value)
      .map((key) => writeFlowMember(key, value[key] ?? null))
      .join(', ')}}`;
  }
  if (typeof value === 'string') return writeText(value);
  return typeof value === 'number' ? writeNumber(value) : String(value);
}

export function writeFlowMember(key: string, value: Json): string {
  return `${writeText(key)}: ${writeFlow(value)}`;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes a number. YAML 1.1 parses an exponent only after a decimal point. */
function writeNumber(value: number): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

/** Strings without quotes that every version of YAML reads as a string. */
const PLAIN = /^[A-Za-z/](?:[\w./@%+=-]|:(?=[\w./])| (?=[\w./@%+=-]))*$/;
const WORD_OF_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Characters that YAML requires escaped, beyond those that JSON escapes. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function writeText(text: string): string {
  if (PLAIN.test(text) && !WORD_OF_YAML.test(text)) return text;
  return JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
