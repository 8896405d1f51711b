import type { AuditRecord } from '@catalog/core/ports/audit';
import type { LayerRecord, NewLayer } from '@catalog/core/ports/layers';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { newLayer } from './layer-record.ts';
import type { RegistryServer } from './registry-server.ts';

const UNREACHABLE = {
  source_type: 'git',
  repo: 'https://127.0.0.1:9/layer.git',
  local_path: '',
} as const;

/** Stores a layer without an ingest, so that it may be one that no request could create. */
export async function seedLayer(
  { registry }: RegistryServer,
  layer: Partial<NewLayer> & { id: string },
): Promise<LayerRecord> {
  return registry.store.transaction((writes) =>
    writes.layers.create(ONLY_TENANT, newLayer({ ...UNREACHABLE, ...layer })),
  );
}

/** Stores a personal layer, which no request could create without authentication. */
export async function seedPersonalLayer(
  server: RegistryServer,
  layer: Partial<NewLayer> & { id: string },
): Promise<LayerRecord> {
  const personal = { user_defined: true, organization: false, owner: 'ann', users: ['ann'] };
  return seedLayer(server, { ...personal, ...layer });
}

/** Returns audit records without those of ingests, whose timing varies. */
export async function readAudit(
  { registry }: RegistryServer,
  tenant = ONLY_TENANT,
): Promise<AuditRecord[]> {
  const rows = await registry.store.audit.list(tenant, 0, 10_000);
  return rows.map(({ record }) => record).filter(({ type }) => type !== 'layer.ingested');
}
