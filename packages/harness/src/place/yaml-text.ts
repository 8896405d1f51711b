import { isJsonObject, type Json } from '@catalog/core/json';

/** Words that some YAML parsers do not read as a string. */
const AMBIGUOUS_WORDS = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** Strings that every YAML parser reads as a string; a colon is allowed inside a word only. */
const PLAIN = /^[A-Za-z/](?:[\w ./()+;'*-]|:(?=\S))*$/;

/** Characters that JSON does not escape but YAML requires escaped. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** Plain if that is unambiguous, otherwise in double quotes. */
export function yamlText(text: string): string {
  const plain = PLAIN.test(text) && !AMBIGUOUS_WORDS.test(text) && !text.endsWith(' ');
  if (plain) return text;
  return JSON.stringify(text.toWellFormed()).replaceAll(
    UNPRINTABLE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Every scalar is on one line. */
export function yamlMembers(
  members: Iterable<readonly [string, Json]>,
  indent: string = '',
): string {
  let text = '';
  for (const [key, value] of members) text += `${indent}${yamlText(key)}:${after(value, indent)}`;
  return text;
}

function after(value: Json, indent: string): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n';
    return `\n${value.map((item) => itemText(item, deeper)).join('')}`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value);
    return members.length === 0 ? ' {}\n' : `\n${yamlMembers(members, deeper)}`;
  }
  return ` ${typeof value === 'string' ? yamlText(value) : String(value)}\n`;
}

/** The first member of a map is on the line of the dash. */
function itemText(item: Json, indent: string): string {
  const deeper = `${indent}  `;
  const members = isJsonObject(item) ? yamlMembers(Object.entries(item), deeper) : '';
  return members === ''
    ? `${indent}-${after(item, indent)}`
    : `${indent}- ${members.slice(deeper.length)}`;
}
