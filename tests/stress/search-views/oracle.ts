import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { scoreOf } from '@catalog/core/search/bm25';
import { documentTerms } from '@catalog/core/search/document-terms';
import { fuse } from '@catalog/core/search/fuse';
import { MAX_VECTOR_ONLY, type FusedHit } from '@catalog/core/search/hybrid-search';
import { roundVector } from '@catalog/core/search/round-vector';
import type { WeighedQuery } from '@catalog/core/search/weigh-query';
import type { DocumentKey } from '@catalog/core/ports/search-index';
import type { LayerStack } from '@catalog/core/ports/versions';
import { weighAllTerms } from '../../../bench/baselines/weigh-all-terms.ts';
import type { Question } from './questions.ts';
import type { World, WorldArtifact } from './world.ts';

export interface Expected {
  /** Best hits first, up to the requested number. */
  hits: readonly FusedHit[];
  total_matched: number;
}

export interface Oracle {
  /** Searches all artifacts. `floor` is the minimum cosine similarity for a hit by vector alone. */
  answer(question: Question, floor: number): Expected;
  mayShow(question: Question, key: DocumentKey): boolean;
}

interface Posting {
  place: number;
  impact: number;
}

/** Implements the definition of `referenceHybrid`, with precomputed invariants. */
export function openOracle({ artifacts }: World): Oracle {
  const postings = new Map<string, Posting[]>();
  const vectors = artifacts.map(({ vector }) => vector && roundVector(vector));
  const namesakes = new Map<string, number[]>();
  for (const [place, { document, searched }] of artifacts.entries()) {
    namesakes.set(document.id, [...(namesakes.get(document.id) ?? []), place]);
    if (!searched) continue;
    for (const [term, impact] of documentTerms(document)) {
      const known = postings.get(term);
      if (known === undefined) postings.set(term, [{ place, impact }]);
      else known.push({ place, impact });
    }
  }

  /** Returns a function for the rank of an artifact's layer in a view; -1 if it is not in the view. */
  function ranksOf(layers: LayerStack): (place: number) => number {
    const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
    return (place) => ranks.get(artifacts[place]?.layer ?? 0) ?? -1;
  }

  function isFound(
    place: number,
    query: Question['query'],
    rankOf: (place: number) => number,
  ): boolean {
    const artifact = artifacts[place];
    if (artifact?.searched !== true || rankOf(place) < 0 || !passes(artifact, query)) return false;
    const others = namesakes.get(artifact.document.id) ?? [];
    return others.every((other) => rankOf(other) <= rankOf(place));
  }

  function weigh(query: string, rankOf: (place: number) => number): WeighedQuery {
    const holders = new Map<string, number>();
    const holdersOf = (term: string): number => {
      const known =
        holders.get(term) ??
        (postings.get(term) ?? []).filter(({ place }) => rankOf(place) >= 0).length;
      holders.set(term, known);
      return known;
    };
    const documents = artifacts.filter(({ searched }, at) => searched && rankOf(at) >= 0).length;
    return weighAllTerms(query, { documents, holdersOf, postings });
  }

  return {
    answer({ layers, query, vector }, floor) {
      const rankOf = ranksOf(layers);
      const { terms, bound } = weigh(query.query, rankOf);
      const sums = new Map<number, number>();
      for (const { term, rarity } of terms) {
        for (const { place, impact } of postings.get(term) ?? []) {
          sums.set(place, (sums.get(place) ?? 0) + rarity * impact);
        }
      }
      const queryVector = roundVector(vector);
      const places = [...artifacts.keys()].filter((place) => isFound(place, query, rankOf));
      const similarities = places.map((place) => {
        const known = vectors[place];
        return known === undefined ? -Infinity : cosine(queryVector, known);
      });
      const last = Float64Array.from(similarities).sort().at(-MAX_VECTOR_ONLY) ?? -1;
      const isNear = (similarity: number): boolean => similarity >= Math.max(floor, last);
      const seen = places.flatMap((place, at) => {
        const artifact = artifacts[place];
        const [nearness = -Infinity, sum = 0] = [similarities[at], sums.get(place)];
        if (artifact === undefined || (sum === 0 && !isNear(nearness))) return [];
        const { layer, document } = artifact;
        const similarity = nearness === -Infinity ? undefined : nearness;
        const lexical = scoreOf(sum);
        const score = fuse({ score: lexical, bound }, { cosine: similarity ?? 0 });
        return [{ layer, id: document.id, score, lexical, similarity, rank: rankOf(place) }];
      });
      const near = new Set(
        seen
          .filter(({ similarity = -Infinity }) => isNear(similarity))
          .sort(
            (a, b) =>
              (b.similarity ?? 0) - (a.similarity ?? 0) ||
              b.rank - a.rank ||
              compareBytes(a.id, b.id),
          )
          .slice(0, MAX_VECTOR_ONLY),
      );
      const found = seen
        .filter((hit) => hit.lexical > 0 || near.has(hit))
        .sort((a, b) => b.score - a.score || b.rank - a.rank || compareBytes(a.id, b.id));
      return {
        hits: found.slice(0, query.top_k).map(({ layer, id, score, lexical, similarity }) => ({
          layer,
          id,
          score,
          lexical,
          similarity,
        })),
        total_matched: found.length,
      };
    },
    mayShow: ({ layers, query }, { layer, id }) =>
      (namesakes.get(id) ?? []).some(
        (place) => artifacts[place]?.layer === layer && isFound(place, query, ranksOf(layers)),
      ),
  };
}

function passes({ document }: WorldArtifact, { type, tags, scope }: Question['query']): boolean {
  return (
    (type === '' || document.type === type) &&
    tags.every((tag) => document.tags.includes(tag)) &&
    (scope === '' || document.id === scope || document.id.startsWith(`${scope}/`))
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
