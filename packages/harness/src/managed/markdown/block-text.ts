import type { Json } from '@catalog/core/json';
import { canonicalJson } from '@catalog/core/canonical-json';
import { missingClosing } from './code-fences.ts';
import { escapeMarker, splitLines } from './marker-lines.ts';

/** Escapes lines that look like markers, and closes open code fences, so that following text is not part of them. */
export function blockText(value: Json): string {
  const given = typeof value === 'string' ? value : canonicalJson(value);
  const lines = splitLines(given.toWellFormed().replace(/[\r\n]+$/, '')).map((line) =>
    escapeMarker(line.text),
  );
  const closing = missingClosing(lines);
  return [...lines, ...(closing === undefined ? [] : [closing])].join('\n');
}
