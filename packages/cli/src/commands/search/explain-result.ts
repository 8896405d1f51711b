import type { SearchExplanation, SearchResult } from '@catalog/contract/records/discovery';

export function formatShare(share: number): string {
  return share.toFixed(2);
}

/** Formats an explanation such as `words releas, ship; similarity 0.61; layer base; score 0.93`. */
export function explainResult({ score, explanation }: SearchResult): string {
  if (explanation === undefined) return `score ${formatShare(score)}`;
  const { layer } = explanation;
  return [
    explainWords(explanation),
    explainSimilarity(explanation),
    ...(layer === '' ? [] : [`layer ${layer}`]),
    `score ${formatShare(score)}`,
  ].join('; ');
}

function explainWords({ terms }: SearchExplanation): string {
  return terms.length === 0 ? 'no matching words' : `words ${terms.join(', ')}`;
}

function explainSimilarity({ similarity }: SearchExplanation): string {
  return similarity === null ? 'similarity unknown' : `similarity ${formatShare(similarity)}`;
}
