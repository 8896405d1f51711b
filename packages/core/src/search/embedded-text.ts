import { saysSomething, type MergedDomain } from '../domain/merge-domains.ts';
import type { SearchDocument } from '../ports/search-index.ts';
import { parentPath } from '../text/slash-path.ts';
import { firstWords } from './domain-terms.ts';

/** Rises with every change of the texts below: vectors of an older one are stale. */
export const TEXT_VERSION = 1;

/**
 * The text of an artifact whose meaning is searched, its body never. The words of its domain are in it,
 * once: where they say what it is about they help, and the name of a team does no harm. Its type is
 * not: nobody asks for it by meaning, and it makes all artifacts alike (ADR-0050).
 */
export function embeddedText(document: Omit<SearchDocument, 'type'>): string {
  const { id, name, description, when_to_use, tags } = document;
  return joinLines([name, description, ...when_to_use, tags.join(' '), wordsOf(parentPath(id))]);
}

/** The text of a domain; empty where its authors say nothing. */
export function domainText(
  domain: Pick<MergedDomain, 'path' | 'description' | 'keywords' | 'body'>,
): string {
  if (!saysSomething(domain)) return '';
  const { path, description, keywords, body } = domain;
  return joinLines([wordsOf(path), description, keywords.join(' '), firstWords(body)]);
}

function wordsOf(path: string): string {
  return path.replaceAll('/', ' ');
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
