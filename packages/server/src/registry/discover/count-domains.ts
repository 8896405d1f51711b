import type { DomainCounts, DomainReader } from '@catalog/core/domain/domain-reader';
import type { SubdomainEntry } from '@catalog/core/domain/draw-subdomains';
import type { DomainMap } from '@catalog/core/domain/render-domain-map';

type Counts = Pick<DomainCounts, 'artifact_count' | 'recursive_count'>;

export type CountedMap = Omit<DomainMap, 'subdomains'> & Counts & { subdomains: CountedEntry[] };

interface CountedEntry extends Omit<SubdomainEntry, 'subdomains'>, Counts {
  subdomains?: CountedEntry[];
}

export async function countDomains(reader: DomainReader, map: DomainMap): Promise<CountedMap> {
  const counted = await reader.countArtifacts([map.path, ...listPaths(map.subdomains)]);
  const counts = new Map(counted.map((one) => [one.path, one]));
  return {
    ...map,
    ...countsOf(counts.get(map.path)),
    subdomains: withCounts(map.subdomains, counts),
  };
}

function listPaths(domains: readonly SubdomainEntry[]): string[] {
  return domains.flatMap(({ path, subdomains = [] }) => [path, ...listPaths(subdomains)]);
}

function withCounts(
  domains: readonly SubdomainEntry[],
  counts: ReadonlyMap<string, DomainCounts>,
): CountedEntry[] {
  return domains.map(({ subdomains, ...domain }) => ({
    ...domain,
    ...countsOf(counts.get(domain.path)),
    ...(subdomains === undefined ? {} : { subdomains: withCounts(subdomains, counts) }),
  }));
}

function countsOf(counts: DomainCounts | undefined): Counts {
  const { artifact_count = 0, recursive_count = 0 } = counts ?? {};
  return { artifact_count, recursive_count };
}
