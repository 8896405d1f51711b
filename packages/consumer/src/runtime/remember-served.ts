import { now } from '../clock.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';

/** How long an id that the registry has, or has not, is taken to be so. */
const REMEMBERED_MS = 30_000;

export type IsServed = (id: string, signal?: AbortSignal) => Promise<boolean>;

/**
 * Whether a search of the registry can find an id at all. Most ids of an overlay are its own: asked
 * once, they cost no later search anything.
 */
export function rememberServed(registry: Pick<RuntimeRegistry, 'searchArtifacts'>): IsServed {
  const known = new Map<string, { served: boolean; until: number }>();
  return async (id, signal) => {
    const before = known.get(id);
    if (before !== undefined && now() < before.until) return before.served;
    // Without words the results are in the order of their ids, and what is below comes after it.
    const { results } = await registry.searchArtifacts({ scope: id, top_k: 1 }, signal);
    const served = results[0]?.id === id;
    known.set(id, { served, until: now() + REMEMBERED_MS });
    return served;
  };
}
