import type { Manifest } from '@catalog/core/artifact/types';
import { yamlText } from './yaml-text.ts';

/** A markdown document in two parts whose sum it is: up to and with the closing fence, and the rest. */
export interface DocumentParts {
  head: string;
  body: string;
}

/** The parts of a document; `joinDocument` puts them together again. */
export function splitDocument({ text, body }: Manifest): DocumentParts {
  return { head: text.slice(0, text.length - body.length), body };
}

/** Joins what was split; the text itself where nothing changed, which spares a copy. */
export function joinDocument(manifest: Manifest, { head, body }: DocumentParts): string {
  const { text } = manifest;
  const unchanged = body === manifest.body && head.length + body.length === text.length;
  return unchanged && text.startsWith(head) ? text : head + body;
}

/** Lines that say nothing, the indentation of the first that does, and its first character. */
const FIRST_KEY = /^\uFEFF?---\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)(\S?)/;

/**
 * The head with one more key at its end, its value in quotes, in the file's own indentation and
 * line ends. Frontmatter in braces has no line to add and stays as it is.
 */
export function addKey(head: string, key: string, value: string): string {
  const [, indent = '', first] = FIRST_KEY.exec(head) ?? [];
  if (first === '{') return head;
  const eol = head.includes('\r\n') ? '\r\n' : '\n';
  const fence = head.lastIndexOf('---');
  return `${head.slice(0, fence)}${indent}${key}: ${JSON.stringify(value)}${eol}${head.slice(fence)}`;
}

const NAME_LINE = /^( *)name:[ \t]*(["']?)([^\s"'#]+)\2(?=[ \t]*(?:#.*)?\r?$)/gm;
/** A name that means the same in any quotes and in none. */
const PLAIN_NAME = /^[\w.-]+$/;

/** The head with the value of its own `name` changed where it is `from`; all else stays. */
export function renameDocument(head: string, from: string, to: string): string {
  const [, indent = ''] = FIRST_KEY.exec(head) ?? [];
  return head.replace(NAME_LINE, (line: string, spaces: string, quote: string, name: string) => {
    if (spaces !== indent || name !== from) return line;
    const before = line.slice(0, -(name.length + 2 * quote.length));
    return before + (PLAIN_NAME.test(to) ? quote + to + quote : yamlText(to));
  });
}
