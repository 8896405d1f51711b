import { authorize, type HostPathAuthority } from '@catalog/core/authorize';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';

export const SOURCE_MEMBERS = ['source_type', 'repo', 'ref', 'root', 'local_path'] as const;
export type Source = Pick<LayerRecord, (typeof SOURCE_MEMBERS)[number]>;

type NamedSource = Source & Pick<LayerRecord, 'id'>;

export interface DeclaredSources {
  add(tenant: Tenant, layer: NamedSource): void;
  /** Returns true if exactly this source is declared. */
  has(tenant: Tenant, layer: NamedSource): boolean;
}

export function createDeclaredSources(): DeclaredSources {
  const declared = new Set<string>();
  return {
    add: (tenant, layer) => void declared.add(keyOf(tenant, layer)),
    has: (tenant, layer) => declared.has(keyOf(tenant, layer)),
  };
}

function keyOf(tenant: Tenant, layer: NamedSource): string {
  return JSON.stringify([tenant, layer.id, ...SOURCE_MEMBERS.map((member) => layer[member])]);
}

/** Returns who may use the host path of a layer (SPEC-77). */
export function hostPathAuthority(
  { settings, declared }: { settings: { multi_tenant: boolean }; declared: DeclaredSources },
  tenant: Tenant,
  stored?: LayerRecord,
): HostPathAuthority {
  if (!settings.multi_tenant) return 'admins';
  return stored !== undefined && declared.has(tenant, stored) ? 'admins' : 'operator';
}

export function mayIngest(
  registry: Parameters<typeof hostPathAuthority>[0],
  tenant: Tenant,
  stored: LayerRecord,
): boolean {
  const host_paths = hostPathAuthority(registry, tenant, stored);
  return authorize({ kind: 'open' }, 'ingest', { stored, host_paths }).kind === 'admitted';
}
