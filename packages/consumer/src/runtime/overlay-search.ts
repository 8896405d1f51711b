import { TOP_K_DEFAULT, TOP_K_MAX } from '@catalog/contract/limits';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { isWithin } from '@catalog/core/text/slash-path';
import { splitList } from '@catalog/core/text/split-list';
import { searchDomainsInMemory, searchInMemory } from '../discover/search-in-memory.ts';
import type { OverlayContent } from './open-overlay.ts';
import type { ServedCheck } from './remember-served.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';

type ArtifactSearch = RuntimeRegistry['searchArtifacts'];
type DomainSearch = RuntimeRegistry['searchDomains'];

/**
 * Searches registry and overlay. An artifact that the overlay replaces matches only with its new words and is counted
 * once.
 */
export async function searchWithOverlay(
  { artifacts }: OverlayContent,
  registry: Pick<RuntimeRegistry, 'searchArtifacts'>,
  isServed: ServedCheck,
  input: Parameters<ArtifactSearch>[0],
  signal: AbortSignal | undefined,
): ReturnType<ArtifactSearch> {
  const { scope = '', top_k = TOP_K_DEFAULT } = input;
  const scopes = splitList(scope);
  const replaced = [...artifacts.keys()].filter(
    (id) => scopes.length === 0 || scopes.some((each) => isWithin(id, each)),
  );
  const served = await registry.searchArtifacts(
    { ...input, top_k: enlargeTopK(top_k, replaced.length) },
    signal,
  );
  const overlay = { name: 'overlay', artifacts: [...artifacts.values()] };
  const words_only = served.degraded === true || served.words_only === true;
  const own = await searchInMemory([overlay], { ...input, words_only });
  const hidden = await countFound(replaced, {
    found: served.results.map(({ id }) => id),
    total: served.total_matched,
    findWithin: async (id) => {
      if (!(await isServed(id, signal))) return [];
      const below = await registry.searchArtifacts(
        { ...input, scope: id, top_k: TOP_K_MAX },
        signal,
      );
      return below.results.map((result) => result.id);
    },
  });
  const results = [...own.results, ...served.results.filter(({ id }) => !artifacts.has(id))].sort(
    (a, b) => byScore(input, a, b) || compareBytes(a.id, b.id),
  );
  return {
    ...served,
    total_matched: served.total_matched - hidden + own.total_matched,
    results: results.slice(0, top_k),
  };
}

function byScore(
  { query = '' }: { query?: string },
  a: { score: number },
  b: { score: number },
): number {
  return query.trim() === '' ? 0 : b.score - a.score;
}

/** Searches domains of registry and overlay. The description of the overlay applies. */
export async function searchDomainsWithOverlay(
  { domains }: OverlayContent,
  registry: Pick<RuntimeRegistry, 'searchDomains'>,
  input: Parameters<DomainSearch>[0],
  signal: AbortSignal | undefined,
): ReturnType<DomainSearch> {
  const { scope = '', top_k = TOP_K_DEFAULT } = input;
  const described = domains.map(({ path }) => path).filter((path) => isWithin(path, scope));
  const own = searchDomainsInMemory(domains, input);
  const served = await registry.searchDomains(
    { ...input, top_k: enlargeTopK(top_k, described.length) },
    signal,
  );
  const hidden = await countFound(described, {
    found: served.domains.map(({ path }) => path),
    total: served.total_matched,
    findWithin: async (path) => {
      const below = await registry.searchDomains(
        { ...input, scope: path, top_k: TOP_K_MAX },
        signal,
      );
      return below.domains.map((domain) => domain.path);
    },
  });
  const replaced = new Set(described);
  const found = [...own.domains, ...served.domains.filter(({ path }) => !replaced.has(path))].sort(
    (a, b) => b.score - a.score || compareBytes(a.path, b.path),
  );
  return {
    ...served,
    total_matched: served.total_matched - hidden + own.total_matched,
    domains: found.slice(0, top_k),
  };
}

/** Returns a number of results that is sufficient after replaced ones are removed. */
function enlargeTopK(top_k: number, replaced: number): number {
  return Math.max(top_k, Math.min(TOP_K_MAX, top_k + replaced));
}

interface Found {
  found: readonly string[];
  total: number;
  findWithin: (path: string) => Promise<readonly string[]>;
}

/** Counts matches in the registry, beyond the returned results. */
async function countFound(
  names: readonly string[],
  { found, total, findWithin }: Found,
): Promise<number> {
  const shown = new Set(found);
  const hidden = names.filter((name) => !shown.has(name));
  const count = names.length - hidden.length;
  if (found.length >= total) return count;
  const others = await Promise.all(
    hidden.map(async (name) => (await findWithin(name)).includes(name)),
  );
  return count + others.filter(Boolean).length;
}
