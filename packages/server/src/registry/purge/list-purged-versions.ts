import { ledgerVersion } from '@catalog/core/ingest/ledger-key';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { StoredExtends } from '@catalog/core/ports/versions';

export interface PurgedVersion {
  layer: LayerRecord;
  id: string;
  version: string;
  content_hash: string;
  /** Purged version that it contains through `extends`; absent if the request names it. */
  parent?: string;
}

export interface PurgeTarget {
  id: string;
  /** Empty for every version. */
  version: string;
  /** Empty for every layer. */
  layer: string;
}

type Reads = Pick<StoreReads, 'layers' | 'versions'>;

/** Lists the named versions, then all versions that contain one of them through `extends`. */
export async function listPurgedVersions(
  reads: Reads,
  tenant: Tenant,
  layers: readonly LayerRecord[],
  target: PurgeTarget,
): Promise<PurgedVersion[]> {
  const named = await listNamed(reads, tenant, layers, target);
  const byNumber = new Map(layers.map((layer) => [layer.number, layer]));
  const found = new Map(named.map((version) => [keyOf(version.layer.number, version), version]));
  for (let parents = named; parents.length > 0;) {
    const ids = [...new Set(parents.map(({ id }) => id))];
    const children: PurgedVersion[] = [];
    for (const child of await reads.versions.listExtending(tenant, ids)) {
      const layer = byNumber.get(child.layer);
      const parent = parents.find((candidate) => isParent(candidate, child.parent));
      if (layer === undefined || parent === undefined) continue;
      const key = keyOf(child.layer, child);
      if (found.has(key)) continue;
      const record = await reads.versions.get(tenant, child.layer, child.id, child.version);
      if (record === undefined) continue;
      const { id, version, content_hash } = record;
      const purged = { layer, id, version, content_hash, parent: `${parent.id}@${parent.version}` };
      found.set(key, purged);
      children.push(purged);
    }
    parents = children;
  }
  return [...found.values()];
}

async function listNamed(
  { versions }: Reads,
  tenant: Tenant,
  layers: readonly LayerRecord[],
  target: PurgeTarget,
): Promise<PurgedVersion[]> {
  const named: PurgedVersion[] = [];
  for (const layer of layers) {
    if (target.layer !== '' && target.layer !== layer.id) continue;
    for (const stored of await versions.listVersions(tenant, layer.number, target.id)) {
      const { version, content_hash } = stored;
      if (target.version !== '' && !isNamed(version, target.version)) continue;
      named.push({ layer, id: target.id, version, content_hash });
    }
  }
  return named;
}

/** Versions that differ only in build metadata are one version in the ledger. */
function isNamed(version: string, wanted: string): boolean {
  return version === wanted || ledgerVersion(version) === wanted;
}

function isParent({ layer, id, version }: PurgedVersion, parent: StoredExtends): boolean {
  return layer.number === parent.layer && id === parent.id && version === parent.version;
}

function keyOf(layer: number, { id, version }: { id: string; version: string }): string {
  return JSON.stringify([layer, id, version]);
}
