import { isJsonObject, type Json } from '@catalog/core/json';

/** Words that some YAML parsers do not read as a string. */
const AMBIGUOUS_WORDS = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** Strings that every YAML parser reads as a string; a colon is allowed only inside a word. */
const PLAIN = /^[A-Za-z/](?:[\w ./()+;'*-]|:(?=\S))*$/;

/** Characters that YAML requires escaped but JSON does not. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** Renders a string: plain if that is unambiguous, otherwise in double quotes. */
export function yamlText(text: string): string {
  const plain = PLAIN.test(text) && !AMBIGUOUS_WORDS.test(text) && !text.endsWith(' ');
  if (plain) return text;
  return JSON.stringify(text.toWellFormed()).replaceAll(
    UNPRINTABLE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Renders members, each scalar on one line. */
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

/** Renders an item; the first member of a map is on the line of the dash. */
function itemText(item: Json, indent: string): string {
  const deeper = `${indent}  `;
  const members = isJsonObject(item) ? yamlMembers(Object.entries(item), deeper) : '';
  return members === ''
    ? `${indent}-${after(item, indent)}`
    : `${indent}- ${members.slice(deeper.length)}`;
}
