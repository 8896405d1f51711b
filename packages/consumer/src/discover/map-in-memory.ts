import type { DomainMapRecord } from '@catalog/contract/records/discovery';
import type { Discovery } from '@catalog/core/domain/discovery';
import { readDomainsInMemory, type DomainView } from '@catalog/core/domain/in-memory-domains';
import { renderDomainMap } from '@catalog/core/domain/render-domain-map';

export async function mapInMemory(
  view: DomainView,
  { path = '', depth = 0 }: { path?: string; depth?: number },
  discovery: Partial<Discovery> = {},
): Promise<DomainMapRecord> {
  const { map } = await renderDomainMap(readDomainsInMemory(view), { path, depth, discovery });
  return { ...map, notable: map.notable.map((entry) => ({ ...entry, tags: [...entry.tags] })) };
}
