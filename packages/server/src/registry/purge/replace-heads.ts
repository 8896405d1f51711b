import { edgesOf, identifierOf } from '@catalog/core/ingest/to-version-record';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionRecord } from '@catalog/core/ports/versions';
import { chooseHead, toHead } from '../ingest/choose-head.ts';
import { readStoredText } from '../ingest/load-stored-artifact.ts';
import {
  serveHeads,
  serverIdentifier,
  withdrawHeads,
  type NewHead,
} from '../ingest/put-versions.ts';
import type { PurgedVersion } from './list-purged-versions.ts';

export interface ServedInstead {
  layer: LayerRecord;
  id: string;
  /** Undefined if no version is left, so that the artifact is withdrawn. */
  version: string | undefined;
}

/** Serves an earlier version of each artifact whose latest version is purged, or withdraws the artifact. */
export async function replaceHeads(
  writes: StoreWrites,
  tenant: Tenant,
  purged: readonly PurgedVersion[],
): Promise<ServedInstead[]> {
  const replaced: ServedInstead[] = [];
  for (const ofLayer of Map.groupBy(purged, ({ layer }) => layer.number).values()) {
    const [first] = ofLayer;
    if (first === undefined) continue;
    for (const ofId of Map.groupBy(ofLayer, ({ id }) => id).values()) {
      replaced.push(...(await replaceHead(writes, tenant, first.layer, ofId)));
    }
  }
  return replaced;
}

async function replaceHead(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  purged: readonly PurgedVersion[],
): Promise<ServedInstead[]> {
  const id = purged[0]?.id ?? '';
  const gone = new Set(purged.map(({ version }) => version));
  const [head] = await writes.versions.listHeadsOf(tenant, [layer.number], [id]);
  if (head === undefined || !gone.has(head.version)) return [];
  const stored = await writes.versions.listVersions(tenant, layer.number, id);
  const chosen = chooseHead(stored.filter(({ version }) => !gone.has(version)));
  const record = chosen && (await writes.versions.get(tenant, layer.number, id, chosen.version));
  await withdrawHeads(writes, tenant, layer.number, [id]);
  if (record === undefined) return [{ layer, id, version: undefined }];
  const next = await toNewHead(writes, tenant, layer, record);
  await serveHeads(writes, tenant, layer.number, [next], { heads: new Map() });
  return [{ layer, id, version: record.version }];
}

async function toNewHead(
  { layers, versions }: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  record: VersionRecord,
): Promise<NewHead> {
  const artifact = readStoredText(record, layer.id);
  const identifiers = (artifact.fields.mcpServers ?? []).map(identifierOf);
  const ordered = composeLayers(await layers.list(tenant), { kind: 'open' });
  const stack = ordered.map(({ number }) => number);
  const servers = await versions.findServers(tenant, stack, identifiers);
  return {
    ...toHead(record),
    edges: edgesOf(artifact, record.extends ?? undefined, (name) => servers.get(name)),
    server_identifier: serverIdentifier(artifact),
  };
}
