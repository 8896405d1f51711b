import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

export interface Removals {
  artifacts: readonly string[];
  domains: readonly string[];
}

const PAGE = 1000;

/** Plans removals. Unreadable artifacts stay and are served unchanged (SPEC-20, ERR-45). */
export async function planRemovals(
  { store }: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  reading: SourceReading,
): Promise<Removals> {
  const { snapshot, removed, complete } = reading;
  const isUnread = (path: string): boolean =>
    snapshot.refused.some(
      (refused) =>
        refused.artifact_id === path ||
        refused.path === '.' ||
        path === refused.path ||
        path.startsWith(`${refused.path}/`),
    );
  if (!complete) {
    const heads = await store.versions.listHeadsOf(tenant, [layer.number], removed.artifacts);
    return {
      artifacts: heads.map(({ id }) => id).filter((id) => !isUnread(id)),
      domains: removed.domains,
    };
  }
  const present = new Set(snapshot.packages.map(({ id }) => id));
  const artifacts: string[] = [];
  for (let after = ''; ;) {
    const page = await store.versions.listHeadIds(tenant, layer.number, after, PAGE);
    for (const { id } of page) if (!present.has(id) && !isUnread(id)) artifacts.push(id);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.id;
  }
  const described = new Set(snapshot.domains.map(({ path }) => path));
  const paths = await store.domains.listPaths(tenant, layer.number);
  return {
    artifacts,
    domains: paths.filter((path) => !described.has(path) && !isUnread(`${path}/DOMAIN.md`)),
  };
}
