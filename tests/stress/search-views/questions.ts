import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { LayerStack } from '@catalog/core/ports/versions';
import { queryVector } from '../../../bench/fixtures/pg-vectors.ts';
import { COMMON_WORD } from '../../../bench/fixtures/stored-catalog.ts';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { World, WorldArtifact } from './world.ts';

export interface Question {
  /** Layers that the caller can read, lowest precedence first. */
  layers: LayerStack;
  query: SearchQuery;
  vector: Float32Array;
}

export function makeQuestions(
  { layers, artifacts }: World,
  { n, seed, least }: { n: number; seed: string; least: number },
): Question[] {
  const random = seededRandom(`questions ${seed}`);
  const sizes = new Map<number, number>();
  for (const { layer } of artifacts) sizes.set(layer, (sizes.get(layer) ?? 0) + 1);
  const sizeOf = (view: LayerStack): number =>
    view.reduce((sum, layer) => sum + (sizes.get(layer) ?? 0), 0);

  function pickView(): LayerStack {
    for (;;) {
      const view = random.shuffle(layers).slice(0, 1 + random.int(layers.length));
      if (sizeOf(view) >= least) return view;
    }
  }

  return Array.from({ length: n }, () => {
    const about = random.pick(artifacts);
    return {
      layers: pickView(),
      query: makeQuery(about, random.pick(artifacts), random),
      vector: queryVector(about.vector ?? new Float32Array(256).fill(1 / 16), random),
    };
  });
}

function makeQuery(
  { document }: WorldArtifact,
  other: WorldArtifact,
  random: SeededRandom,
): SearchQuery {
  const wordsOf = (text: string, maxWords: number): string[] =>
    random.shuffle(text.split(/\W+/).filter(Boolean)).slice(0, maxWords);
  const words = wordsOf(document.description, 1 + random.int(4));
  const text = random.pick([
    words,
    words,
    [...words, COMMON_WORD],
    [...words, ...wordsOf(other.document.description, 5), 'and', 'the'],
    // Prefixes, as in search-as-you-type.
    words.map((word) => word.slice(0, 4)),
    ['zzyzx', 'qwrtp'],
  ]);
  const levels = document.id.split('/');
  return {
    query: text.join(' '),
    type: random.int(6) === 0 ? document.type : '',
    tags: random.int(8) === 0 ? document.tags.slice(0, 1 + random.int(2)) : [],
    scope: random.int(4) === 0 ? levels.slice(0, 1 + random.int(levels.length)).join('/') : '',
    top_k: random.pick([1, 10, 10, 10, 25]),
  };
}
