import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LockFile } from './types.ts';

const HEADER = `# Written by catalog sync: one row for each file it wrote. Commit it; do not edit it.
version: 1
`;

/** Formats a lock as sorted YAML with one line per row, so that one changed file means one changed line. */
export function formatLock(lock: LockFile): string {
  const { targets, artifacts, files, entries, shared, pre_existing, directories, toggles } = lock;
  return [
    HEADER,
    rows('targets', targets, ['id', 'registry', 'harness', 'profile'], ['id']),
    rows(
      'artifacts',
      artifacts,
      ['id', 'version', 'layer', 'content_hash', 'target'],
      ['id', 'target'],
    ),
    rows('files', files, ['path', 'hash', 'executable', 'target', 'id'], ['path', 'target', 'id']),
    rows(
      'entries',
      entries,
      ['path', 'shape', 'container', 'key', 'hash', 'target', 'id'],
      ['path', 'key', 'target', 'id'],
    ),
    rows('shared', shared, ['path', 'created_file', 'created', 'opened'], ['path']),
    // Left out if empty, like in older locks.
    pre_existing.length === 0
      ? ''
      : rows(
          'pre_existing',
          pre_existing,
          ['path', 'at', 'target', 'id'],
          ['path', 'at', 'target', 'id'],
        ),
    list('directories', directories),
    `toggles: {add: ${flow(sorted(toggles.add))}, remove: ${flow(sorted(toggles.remove))}}\n`,
  ].join('');
}

function rows<Key extends string>(
  name: string,
  all: readonly { readonly [key in Key]?: Flow | undefined }[],
  keys: readonly Key[],
  order: readonly Key[],
): string {
  if (all.length === 0) return `${name}: []\n`;
  const keyed = all.map((row) => ({ row, key: order.map((key) => row[key]).join('\0') }));
  keyed.sort((a, b) => compareBytes(a.key, b.key));
  let text = `${name}:\n`;
  for (const { row } of keyed) {
    let separator = '  - {';
    for (const key of keys) {
      const value = row[key];
      if (value === undefined) continue;
      text += `${separator}${key}: ${flow(value)}`;
      separator = ', ';
    }
    text += '}\n';
  }
  return text;
}

function list(name: string, items: readonly string[]): string {
  if (items.length === 0) return `${name}: []\n`;
  const lines = sorted(items).map((item) => `  - ${scalar(item)}\n`);
  return `${name}:\n${lines.join('')}`;
}

function sorted(items: readonly string[]): string[] {
  return items.toSorted(compareBytes);
}

type Flow = string | true | readonly string[] | readonly (readonly string[])[];

function flow(value: Flow): string {
  if (typeof value === 'string') return scalar(value);
  return value === true ? 'true' : `[${value.map(flow).join(', ')}]`;
}

/** Strings that YAML reads without quotes. */
const PLAIN = /^(?:[A-Za-z/_]|\.[A-Za-z_])[A-Za-z0-9./_+-]*$/;
const WORDS_OF_YAML = /^(?:null|true|false|yes|no|on|off|y|n|\.inf|\.nan)$/i;
const HASH = /^sha256:[0-9a-f]{64}$/;
const VERSION = /^\d+\.\d+\.\d+(-[A-Za-z][A-Za-z0-9]*)?$/;

function scalar(text: string): string {
  const plain = PLAIN.test(text)
    ? !WORDS_OF_YAML.test(text)
    : HASH.test(text) || VERSION.test(text);
  return plain ? text : JSON.stringify(text);
}
