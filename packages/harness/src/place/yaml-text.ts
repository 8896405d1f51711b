import { isJsonObject, type Json } from '@catalog/core/json';

/** Words that some reader of YAML takes for something else than text. */
const TAKEN = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** Text that no reader of YAML takes for anything else; a colon may stand inside a word only. */
const PLAIN = /^[A-Za-z/](?:[\w ./()+;'*-]|:(?=\S))*$/;

/** Signs that JSON leaves as they are and YAML does not take unescaped. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A text as YAML writes it on one line: plain where that is safe, else in double quotes. */
export function yamlText(text: string): string {
  const plain = PLAIN.test(text) && !TAKEN.test(text) && !text.endsWith(' ');
  if (plain) return text;
  return JSON.stringify(text.toWellFormed()).replaceAll(
    UNPRINTABLE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Members of a block mapping, a line or more each; every scalar is on one line. */
export function yamlMembers(
  members: Iterable<readonly [string, Json]>,
  indent: string = '',
): string {
  let text = '';
  for (const [key, value] of members) text += `${indent}${yamlText(key)}:${after(value, indent)}`;
  return text;
}

/** What stands behind `key:` or `-`, with the end of its line. */
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

/** An item of a list; the first member of a map stands beside the dash. */
function itemText(item: Json, indent: string): string {
  const deeper = `${indent}  `;
  const members = isJsonObject(item) ? yamlMembers(Object.entries(item), deeper) : '';
  return members === ''
    ? `${indent}-${after(item, indent)}`
    : `${indent}- ${members.slice(deeper.length)}`;
}
