import { compareBytes } from '../artifact/compare-bytes.ts';
import type { DocumentKey } from '../ports/search-index.ts';
import type { LayerStack } from '../ports/versions.ts';

/** Compares equal results: the highest layer first, then by id. */
export function byPrecedence(layers: LayerStack): (a: DocumentKey, b: DocumentKey) => number {
  const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
  return (a, b) =>
    (ranks.get(b.layer) ?? 0) - (ranks.get(a.layer) ?? 0) || compareBytes(a.id, b.id);
}
