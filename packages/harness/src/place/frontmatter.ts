import type { Manifest } from '@catalog/core/artifact/types';
import { yamlText } from './yaml-text.ts';

export interface DocumentParts {
  head: string;
  body: string;
}

export function splitDocument({ text, body }: Manifest): DocumentParts {
  return { head: text.slice(0, text.length - body.length), body };
}

/** Joins a document. Returns the original string if nothing changed. */
export function joinDocument(manifest: Manifest, { head, body }: DocumentParts): string {
  const { text } = manifest;
  const unchanged = body === manifest.body && head.length + body.length === text.length;
  return unchanged && text.startsWith(head) ? text : head + body;
}

/** Lines before the first key, its indentation, and its first character. */
const FIRST_KEY = /^\uFEFF?---\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)(\S?)/;

/** Adds a key with the indentation and line breaks of the file. Frontmatter in braces stays unchanged. */
export function addKey(head: string, key: string, value: string): string {
  const [, indent = '', first] = FIRST_KEY.exec(head) ?? [];
  if (first === '{') return head;
  const eol = head.includes('\r\n') ? '\r\n' : '\n';
  const fence = head.lastIndexOf('---');
  return `${head.slice(0, fence)}${indent}${key}: ${JSON.stringify(value)}${eol}${head.slice(fence)}`;
}

const NAME_LINE = /^( *)name:[ \t]*(["']?)([^\s"'#]+)\2(?=[ \t]*(?:#.*)?\r?$)/gm;
/** Names that are equal with and without quotes. */
const PLAIN_NAME = /^[\w.-]+$/;

export function renameDocument(head: string, from: string, to: string): string {
  const [, indent = ''] = FIRST_KEY.exec(head) ?? [];
  return head.replace(NAME_LINE, (line: string, spaces: string, quote: string, name: string) => {
    if (spaces !== indent || name !== from) return line;
    const before = line.slice(0, -(name.length + 2 * quote.length));
    return before + (PLAIN_NAME.test(to) ? quote + to + quote : yamlText(to));
  });
}
