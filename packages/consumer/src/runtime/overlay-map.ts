import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { DomainMapRecord, Subdomain } from '@catalog/contract/records/discovery';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { mapInMemory } from '../discover/map-in-memory.ts';
import { isSearched } from '../discover/search-in-memory.ts';
import type { OverlayContent } from './open-overlay.ts';
import type { Offline, RuntimeRegistry } from './runtime-registry.ts';

type LoadDomain = RuntimeRegistry['loadDomain'];
type Notable = DomainMapRecord['notable'][number];

/** Settings that keep artifacts of the overlay visible in the domains of the registry. */
const UNFOLDED = { fold_below_artifacts: 0, fold_passthrough_chains: false };

export async function mapWithOverlay(
  overlay: OverlayContent,
  below: Pick<RuntimeRegistry, 'loadDomain'>,
  input: Parameters<LoadDomain>[0],
  signal: AbortSignal | undefined,
): Promise<DomainMapRecord & Offline> {
  const own = await drawOwn(overlay, input);
  try {
    const served = await below.loadDomain(input, signal);
    return own === undefined ? replaceNotable(served, overlay, []) : merge(served, own, overlay);
  } catch (error) {
    if (own !== undefined && isNotThere(error)) return own;
    throw error;
  }
}

async function drawOwn(
  { artifacts, domains }: OverlayContent,
  input: Parameters<LoadDomain>[0],
): Promise<DomainMapRecord | undefined> {
  try {
    return await mapInMemory({ artifacts: [...artifacts.values()], domains }, input, UNFOLDED);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'domain.not_found') return undefined;
    throw error;
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'domain.not_found';
}

function merge(
  served: DomainMapRecord & Offline,
  own: DomainMapRecord,
  overlay: OverlayContent,
): DomainMapRecord & Offline {
  const isDescribed = overlay.domains.some(
    ({ path, fields, body }) =>
      path === served.path && (body.trim() !== '' || fields.description !== undefined),
  );
  return {
    ...replaceNotable(served, overlay, own.notable),
    ...(isDescribed ? { description: own.description } : {}),
    keywords: [...new Set([...own.keywords, ...served.keywords])],
    subdomains: mergeSubdomains(served.subdomains, own.subdomains, overlay),
  };
}

/**
 * Returns notable artifacts: those of the overlay first, then those of the registry, in the version of the overlay if
 * it has one.
 */
function replaceNotable<Map extends DomainMapRecord>(
  served: Map,
  { artifacts }: OverlayContent,
  own: readonly Notable[],
): Map {
  const kept = served.notable.flatMap((entry) => {
    const replacement = artifacts.get(entry.id);
    if (replacement === undefined) return [entry];
    if (!isSearched(replacement)) return [];
    const { type, version, description, fields } = replacement;
    return [{ ...entry, type, version, summary: description, tags: fields.tags ?? [] }];
  });
  const named = new Set(kept.map(({ id }) => id));
  return { ...served, notable: [...own.filter(({ id }) => !named.has(id)), ...kept] };
}

function mergeSubdomains(
  served: readonly Subdomain[],
  own: readonly Subdomain[],
  overlay: OverlayContent,
): Subdomain[] {
  const byPath = new Map(served.map((entry) => [entry.path, entry]));
  for (const entry of own) {
    const below = byPath.get(entry.path);
    byPath.set(entry.path, below === undefined ? entry : mergeOne(below, entry, overlay));
  }
  return [...byPath.values()].sort((a, b) => compareBytes(a.path, b.path));
}

function mergeOne(served: Subdomain, own: Subdomain, overlay: OverlayContent): Subdomain {
  const isDescribed = overlay.domains.some(({ path }) => path === own.path);
  const subdomains = mergeSubdomains(served.subdomains ?? [], own.subdomains ?? [], overlay);
  return {
    ...served,
    ...(isDescribed ? { description: own.description } : {}),
    ...(subdomains.length === 0 ? {} : { subdomains }),
  };
}
