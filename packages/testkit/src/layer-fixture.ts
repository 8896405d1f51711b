import type { AuditRecord } from '@catalog/core/ports/audit';
import type { LayerRecord, NewLayer } from '@catalog/core/ports/layers';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { newLayer } from './layer-record.ts';
import type { RegistryServer } from './registry-server.ts';

/** Of a git host that is not there. */
const UNREACHABLE = {
  source_type: 'git',
  repo: 'https://127.0.0.1:9/layer.git',
  local_path: '',
} as const;

/** Puts a layer into the store as it is, without an ingest: also one no request could make. */
export async function seedLayer(
  { registry }: RegistryServer,
  layer: Partial<NewLayer> & { id: string },
): Promise<LayerRecord> {
  return registry.store.transaction((writes) =>
    writes.layers.create(ONLY_TENANT, newLayer({ ...UNREACHABLE, ...layer })),
  );
}

/** A personal layer, which a registry that tells nobody apart makes for nobody. */
export async function seedPersonalLayer(
  server: RegistryServer,
  layer: Partial<NewLayer> & { id: string },
): Promise<LayerRecord> {
  const personal = { user_defined: true, organization: false, owner: 'ann', users: ['ann'] };
  return seedLayer(server, { ...personal, ...layer });
}

/** Every audit record so far, but for those of ingests, which come in their own time. */
export async function readAudit(
  { registry }: RegistryServer,
  tenant = ONLY_TENANT,
): Promise<AuditRecord[]> {
  const rows = await registry.store.audit.list(tenant, 0, 10_000);
  return rows.map(({ record }) => record).filter(({ type }) => type !== 'layer.ingested');
}
