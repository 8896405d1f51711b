import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LockFile } from './types.ts';

const HEADER = `# Written by catalog sync: one row for each file it wrote. Commit it; do not edit it.
version: 1
`;

type Scalar = string | true;
type Row = Record<string, Scalar | readonly string[] | readonly (readonly string[])[] | undefined>;

/** Renders the lock as YAML, sorted, one line a row, so that a change of one file is a change of one line. */
export function formatLock(lock: LockFile): string {
  return (
    HEADER +
    rows('targets', lock.targets.map(toRow), ['id']) +
    rows('artifacts', lock.artifacts.map(toRow), ['id', 'target']) +
    rows('files', lock.files.map(toRow), ['path', 'target', 'id']) +
    rows('entries', lock.entries.map(toRow), ['path', 'key', 'target', 'id']) +
    rows('shared', lock.shared.map(toRow), ['path']) +
    list('directories', lock.directories) +
    `toggles: {add: ${flow(lock.toggles.add.toSorted(compareBytes))}, remove: ${flow(lock.toggles.remove.toSorted(compareBytes))}}\n`
  );
}

function list(name: string, items: readonly string[]): string {
  if (items.length === 0) return `${name}: []\n`;
  return `${name}:\n${items
    .toSorted(compareBytes)
    .map((item) => `  - ${scalar(item)}\n`)
    .join('')}`;
}

function toRow(value: object): Row {
  return { ...value };
}

function rows(name: string, all: Row[], order: readonly string[]): string {
  if (all.length === 0) return `${name}: []\n`;
  const keyed = all.map((row) => ({ row, key: order.map((key) => row[key]).join('\0') }));
  keyed.sort((a, b) => compareBytes(a.key, b.key));
  let text = `${name}:\n`;
  for (const { row } of keyed) {
    let members = '';
    for (const key in row) {
      const value = row[key];
      if (value === undefined) continue;
      members += `${members === '' ? '' : ', '}${key}: ${flow(value)}`;
    }
    text += `  - {${members}}\n`;
  }
  return text;
}

function flow(value: Scalar | readonly string[] | readonly (readonly string[])[]): string {
  if (value === true) return 'true';
  return typeof value === 'string' ? scalar(value) : `[${value.map(flow).join(', ')}]`;
}

/** What YAML reads back as the same text without quotes: no indicator, and never a number, date or truth value. */
const PLAIN = /^[A-Za-z./_][A-Za-z0-9./_+-]*$/;
const HASH = /^sha256:[0-9a-f]{64}$/;
const VERSION = /^\d+\.\d+\.\d+(-[A-Za-z][A-Za-z0-9]*)?$/;
const WORDS_OF_YAML = /^(?:null|true|false|yes|no|on|off|y|n|\.inf|\.nan|\.)$/i;

function scalar(text: string): string {
  if (HASH.test(text) || VERSION.test(text)) return text;
  if (!PLAIN.test(text) || WORDS_OF_YAML.test(text) || /^\.\d/.test(text))
    return JSON.stringify(text);
  return text;
}
