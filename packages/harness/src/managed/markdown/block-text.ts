import type { Json } from '@catalog/core/json';
import { canonicalJson } from '@catalog/core/canonical-json';
import { missingClosing } from './code-fences.ts';
import { neutralize, splitLines } from './marker-lines.ts';

/**
 * The text as it is to stand between the markers: no line of it is a marker, and code it opens is
 * closed, or what follows would be part of it.
 */
export function blockText(value: Json): string {
  const given = typeof value === 'string' ? value : canonicalJson(value);
  const lines = splitLines(given.toWellFormed().replace(/[\r\n]+$/, '')).map((line) =>
    neutralize(line.text),
  );
  const closing = missingClosing(lines);
  return [...lines, ...(closing === undefined ? [] : [closing])].join('\n');
}
