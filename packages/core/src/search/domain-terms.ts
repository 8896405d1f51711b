import { saysSomething, type MergedDomain } from '../domain/merge-domains.ts';
import { weighTerms } from './weigh-terms.ts';

/** How often a word counts by where it stands. */
const WEIGHTS = { path: 1, keywords: 2, description: 1, body: 1 };
/** Words of a domain's text that are looked at: what it is about stands at its beginning. */
const BODY_WORDS = 500;

/** What a domain is found by: each term with its impact. None where its authors say nothing. */
export function domainTerms(
  domain: Pick<MergedDomain, 'path' | 'description' | 'keywords' | 'body'>,
): Map<string, number> {
  if (!saysSomething(domain)) return new Map();
  return weighTerms([
    { text: domain.path, weight: WEIGHTS.path },
    { text: domain.keywords.join('\n'), weight: WEIGHTS.keywords },
    { text: domain.description, weight: WEIGHTS.description },
    { text: firstWords(domain.body), weight: WEIGHTS.body },
  ]);
}

function firstWords(text: string): string {
  let words = 0;
  for (const { index } of text.matchAll(/(?<!\S)\S/g)) {
    if (words === BODY_WORDS) return text.slice(0, index);
    words += 1;
  }
  return text;
}
