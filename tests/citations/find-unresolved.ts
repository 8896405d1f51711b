import { lineAt } from '../../tools/syntax/source-file.ts';

export interface Unresolved {
  line: number;
  citation: string;
  reason: string;
}

/** A decision or threat without its id, even if a line break precedes the number. */
const FORMER_FORM =
  /\b(?:decisions?(?: records?)?|ADR|SPEC|threats?)[ \t]*(?:\n[ \t]*(?:\*|\/\/|#|>)?[ \t]*| )(?:records? )?T?\d+\b/gi;

/** The number of a decision record alone, in parentheses, unless it is the target of a link. */
const BARE_NUMBER = /(?<!\])\(0\d{3}\)/g;

/** `SPEC-72`, and a following number without its own id. */
const DECISION = /\bSPEC-\d+\b(?<more>(?:,| and| or| to) \d{1,2}\b)?/g;
const RECORD = /\bADR-\d+\b/g;
/** The colon after `T23:59` belongs to a time. */
const THREAT = /\bT\d{2}\b(?!:)/g;
/** Id of a requirement: `CACHE-01`, `CACHE-01 to 07` or `CACHE-06, 07`. */
const REQUIREMENT =
  /\b(?<area>[A-Z]{2,8})-(?<first>\d+)\b(?<more>(?:(?:,| and| or| to) \d{2}\b)*)/g;

/** Prefixes of names that have the form of a requirement id: encodings, hashes, checksums. */
const STANDARDS: ReadonlySet<string> = new Set(['UTF', 'SHA', 'CRC']);

export function findUnresolved(text: string, known: ReadonlySet<string>): Unresolved[] {
  const found: Unresolved[] = [];
  const areas = new Set([...known].map((id) => id.slice(0, id.indexOf('-'))));
  const report = (offset: number, citation: string, reason: string): void => {
    found.push({ line: lineAt(text, offset), citation: citation.replaceAll(/\s+/g, ' '), reason });
  };
  const resolve = (offset: number, id: string): void => {
    if (!known.has(id)) report(offset, id, 'does not exist');
  };

  for (const pattern of [FORMER_FORM, BARE_NUMBER]) {
    for (const { 0: citation, index } of text.matchAll(pattern)) {
      report(index, citation, 'cite SPEC-21, T33 or ADR-0022');
    }
  }
  for (const { 0: citation, index, groups } of text.matchAll(DECISION)) {
    const more = groups?.['more'] ?? '';
    resolve(index, citation.slice(0, citation.length - more.length));
    if (more !== '') report(index, citation, 'each decision needs its own id');
  }
  for (const pattern of [RECORD, THREAT]) {
    for (const { 0: id, index } of text.matchAll(pattern)) resolve(index, id);
  }
  for (const { index, groups } of text.matchAll(REQUIREMENT)) {
    const { area = '', first = '', more = '' } = groups ?? {};
    if (area === 'SPEC' || area === 'ADR' || STANDARDS.has(area)) continue;
    // Outside of our areas, one digit can be part of a name such as MPL-2.
    if (!areas.has(area) && (first.length < 2 || first.length > 3)) continue;
    for (const number of [first, ...(more.match(/\d+/g) ?? [])]) {
      resolve(index, `${area}-${number}`);
    }
  }
  return found.sort((a, b) => a.line - b.line);
}
