import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactNode } from 'react';

const WORD = /[\p{L}\p{N}]+/gu;

export function markWords(
  text: string,
  terms: readonly string[],
): { text: string; at: number; isMatch: boolean }[] {
  // A term is the indexed word. For a typo or a prefix, the word of the query follows.
  const stems = terms.map((term) => term.split(' ')[0]?.toLowerCase() ?? '');
  const parts: { text: string; at: number; isMatch: boolean }[] = [];
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    if (!stems.some((stem) => stem !== '' && isForm(word, stem))) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), at, isMatch: false });
    parts.push({ text: match[0], at: match.index, isMatch: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), at, isMatch: false });
  return parts;
}

/** Returns true if a word has a stem: `deploying` has `deploy`, `release` has `releas`. */
function isForm(word: string, stem: string): boolean {
  return (
    word === stem || (stem.length > 2 && word.startsWith(stem) && word.length - stem.length < 5)
  );
}

export function Highlighted({
  text,
  terms,
}: {
  text: string;
  terms: readonly string[];
}): ReactNode {
  return markWords(escapeControls(text), terms).map(({ text: part, at, isMatch }) =>
    isMatch ? <mark key={at}>{part}</mark> : part,
  );
}
