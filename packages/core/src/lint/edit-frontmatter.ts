import type { Manifest } from '../artifact/types.ts';
import { offsetOf } from '../manifest/locate.ts';

/**
 * These functions edit frontmatter line by line, so that all other lines stay unchanged. Each returns the new content,
 * or undefined if the key cannot be edited. They do not support all of YAML, so callers parse the result again and
 * compare it.
 */

/** Removes a key. Comments and blank lines after it stay, because they belong to the next key. */
export function removeKey(manifest: Manifest, key: string): string | undefined {
  const lines = linesOf(manifest, key);
  return lines === undefined ? undefined : splice(manifest, lines.start, lines.end, '');
}

/** Replaces the value of a key, which must be on the same line. A comment after the value stays. */
export function replaceValue(manifest: Manifest, key: string, value: string): string | undefined {
  const lines = linesOf(manifest, key);
  if (lines === undefined) return undefined;
  const line = manifest.frontmatter.slice(lines.start, lines.end);
  const [, before, after] = KEY_LINE.exec(line) ?? [];
  if (before === undefined || after === undefined) return undefined;
  const space = /[ \t]$/.test(before) ? '' : ' ';
  return splice(manifest, lines.start, lines.end, `${before}${space}${value}${after}`);
}

export function insertKey(manifest: Manifest, key: string, value: string): string {
  const lineBreak = manifest.text.slice(0, frontmatterOffset(manifest)).endsWith('\r\n')
    ? '\r\n'
    : '\n';
  return splice(manifest, 0, 0, `${key}: ${value}${lineBreak}`);
}

const KEY_LINE =
  /^([ \t]*(?:"[^"]*"|'[^']*'|[^\s:"'#]+)[ \t]*:[ \t]*)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s"'#|>[{][^\n]*?)?([ \t]*(?:[ \t]#[^\n]*)?\r?\n)$/;

const BELONGS_TO_NEXT = /^(?:#.*|[ \t]*)\r?\n$/;

function linesOf(
  { frontmatter, values }: Manifest,
  key: string,
): { start: number; end: number } | undefined {
  const offset = offsetOf(frontmatter, [key]);
  if (offset === undefined || !Object.hasOwn(values, key)) return undefined;
  const start = frontmatter.lastIndexOf('\n', offset - 1) + 1;
  if (frontmatter.slice(start, offset).trim() !== '') return undefined;
  const others = Object.keys(values).map((other) => offsetOf(frontmatter, [other]) ?? -1);
  const next = Math.min(...others.filter((other) => other > offset), frontmatter.length);
  let end = frontmatter.lastIndexOf('\n', next - 1) + 1;
  for (
    let last = startOfLastLine(frontmatter, end);
    last > start;
    last = startOfLastLine(frontmatter, end)
  ) {
    if (!BELONGS_TO_NEXT.test(frontmatter.slice(last, end))) break;
    end = last;
  }
  return { start, end };
}

function startOfLastLine(text: string, end: number): number {
  return text.lastIndexOf('\n', end - 2) + 1;
}

function frontmatterOffset({ text }: Manifest): number {
  return text.indexOf('\n') + 1;
}

function splice(manifest: Manifest, start: number, end: number, inserted: string): string {
  const offset = frontmatterOffset(manifest);
  return manifest.text.slice(0, offset + start) + inserted + manifest.text.slice(offset + end);
}
