import { hasContent, type MergedDomain } from '../domain/merge-domains.ts';
import type { SearchDocument } from '../ports/search-index.ts';
import { parentPath } from '../text/slash-path.ts';
import { firstWords } from './domain-terms.ts';

/** Version of the text format. Vectors of an older version must be computed again. */
export const TEXT_VERSION = 1;

/**
 * Returns the text to embed. It contains the words of the domain once, but neither the body nor the type, which would
 * make all artifacts similar (ADR-0050).
 */
export function embeddedText(document: Omit<SearchDocument, 'type'>): string {
  const { id, name, description, when_to_use, tags } = document;
  return joinLines([name, description, ...when_to_use, tags.join(' '), wordsOf(parentPath(id))]);
}

export function domainText(
  domain: Pick<MergedDomain, 'path' | 'description' | 'keywords' | 'body'>,
): string {
  if (!hasContent(domain)) return '';
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
