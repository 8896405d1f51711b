import { hasContent, type MergedDomain } from '../domain/merge-domains.ts';
import { DEFAULT_LANGUAGE, type SearchLanguage } from './language.ts';
import { weighTerms } from './weigh-terms.ts';

const WEIGHTS = { path: 1, keywords: 2, description: 1, body: 1 };
/** Maximum number of words of a body; the topic is at its beginning. */
const BODY_WORDS = 500;

export function domainTerms(
  domain: Pick<MergedDomain, 'path' | 'description' | 'keywords' | 'body'>,
  language: SearchLanguage = DEFAULT_LANGUAGE,
): Map<string, number> {
  if (!hasContent(domain)) return new Map();
  const parts = [
    { text: domain.path, weight: WEIGHTS.path },
    { text: domain.keywords.join('\n'), weight: WEIGHTS.keywords },
    { text: domain.description, weight: WEIGHTS.description },
    { text: firstWords(domain.body), weight: WEIGHTS.body },
  ];
  return weighTerms(parts, language);
}

export function firstWords(text: string): string {
  let words = 0;
  for (const { index } of text.matchAll(/(?<!\S)\S/g)) {
    if (words === BODY_WORDS) return text.slice(0, index);
    words += 1;
  }
  return text;
}
