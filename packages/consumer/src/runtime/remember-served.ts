import { now } from '../clock.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';

const REMEMBERED_MS = 30_000;

export type ServedCheck = (id: string, signal?: AbortSignal) => Promise<boolean>;

/** Returns a cached check whether the registry has an id; most ids of an overlay exist only there. */
export function createServedCheck(registry: Pick<RuntimeRegistry, 'searchArtifacts'>): ServedCheck {
  const known = new Map<string, { served: boolean; until: number }>();
  return async (id, signal) => {
    const before = known.get(id);
    if (before !== undefined && now() < before.until) return before.served;
    // Without words, results are ordered by id, and longer ids come later.
    const { results } = await registry.searchArtifacts({ scope: id, top_k: 1 }, signal);
    const served = results[0]?.id === id;
    known.set(id, { served, until: now() + REMEMBERED_MS });
    return served;
  };
}
