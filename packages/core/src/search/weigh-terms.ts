import { impactOf } from './bm25.ts';
import type { SearchLanguage } from './language.ts';
import { tokenize } from './tokenize.ts';

export interface WeightedText {
  text: string;
  weight: number;
}

export function weighTerms(
  parts: readonly WeightedText[],
  language: SearchLanguage,
): Map<string, number> {
  const weighed = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of parts) {
    for (const token of tokenize(text, 'document', language)) {
      length += token.length;
      for (const term of token.terms) weighed.set(term, (weighed.get(term) ?? 0) + weight);
    }
  }
  for (const [term, frequency] of weighed) weighed.set(term, impactOf(frequency, length));
  return weighed;
}
