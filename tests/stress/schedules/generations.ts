import type { GitRepository } from '@catalog/testkit/git-repository';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Maximum number of artifacts in a layer; a generation contains some of them. */
const MAX_ARTIFACTS = 4;

/**
 * Each commit changes all artifacts at once: those of generation g have the version 1.0.g. A response
 * with two generations of a layer therefore shows a partial ingest.
 */
export interface GenerationLayer {
  id: string;
  repository: GitRepository & { url: string };
  ids: readonly string[];
  /** Ids of each generation; the first generation is 1. */
  generations: ReadonlySet<string>[];
  commits: string[];
  acknowledged: number;
}

export function newGenerationLayer(
  id: string,
  scope: string,
  repository: GenerationLayer['repository'],
): GenerationLayer {
  const ids = Array.from({ length: MAX_ARTIFACTS }, (_, at) => `${scope}/${id}/rule-${at}`);
  return { id, repository, ids, generations: [], commits: [], acknowledged: 0 };
}

export function commitNext(layer: GenerationLayer, random: SeededRandom): number {
  const { ids, generations, commits, repository } = layer;
  const generation = generations.length + 1;
  const held = random.shuffle(ids).slice(0, 1 + random.int(MAX_ARTIFACTS));
  generations.push(new Set(held));
  const files = ids.map((id) => [
    `${id}/ARTIFACT.md`,
    held.includes(id) ? manifestOf(id, generation) : null,
  ]);
  commits.push(repository.commit(Object.fromEntries(files)));
  return generation;
}

function manifestOf(id: string, generation: number): string {
  return [
    '---',
    'type: rule',
    `version: 1.0.${generation}`,
    `name: ${id.slice(id.lastIndexOf('/') + 1)}`,
    'description: What to do when many change the same thing at once.',
    'rule_mode: always',
    '---',
    `Do what generation ${generation} of ${id} says.`,
    '',
  ].join('\n');
}

export function generationOf(version: string): number {
  return Number(version.slice(version.lastIndexOf('.') + 1));
}

export interface Shown {
  id: string;
  /** Undefined if the response does not include it. */
  version?: string;
}

/**
 * Checks for exactly one generation, not older than the last one acknowledged before the request. A
 * complete response must contain all its artifacts.
 */
export function findShownFault(
  { id, generations }: GenerationLayer,
  shown: readonly Shown[],
  { whole, from }: { whole: boolean; from: number },
): string | undefined {
  const ids = new Set(shown.map((artifact) => artifact.id));
  const versions = new Set(shown.map(({ version }) => version));
  const possible = generations.flatMap((held, at) => {
    const generation = at + 1;
    const fits = [...ids].every((one) => held.has(one)) && (!whole || ids.size === held.size);
    const isNamed = [...versions].every(
      (version) => version === undefined || generationOf(version) === generation,
    );
    return generation >= from && fits && isNamed ? [generation] : [];
  });
  if (possible.length > 0 || (shown.length === 0 && from === 0)) return undefined;
  const text = shown.map((artifact) => `${artifact.id}@${artifact.version ?? ''}`).join(', ');
  return `${id} shows no generation from ${from} on: ${text}`;
}
