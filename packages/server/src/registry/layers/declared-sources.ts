import { authorize, type HostPathAuthority } from '@catalog/core/authorize';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';

/** What a layer is read from. */
export const SOURCE_MEMBERS = ['source_type', 'repo', 'ref', 'root', 'local_path'] as const;
export type Source = Pick<LayerRecord, (typeof SOURCE_MEMBERS)[number]>;

type NamedSource = Source & Pick<LayerRecord, 'id'>;

/** The layer sources that the operator's configuration names, as this process read it. */
export interface DeclaredSources {
  add(tenant: Tenant, layer: NamedSource): void;
  /** Whether the configuration names a layer of this id with this very source. */
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

/** Who may name the host path of a stored layer, or of one that is being registered (SPEC-77). */
export function hostPathAuthority(
  { settings, declared }: { settings: { multi_tenant: boolean }; declared: DeclaredSources },
  tenant: Tenant,
  stored?: LayerRecord,
): HostPathAuthority {
  if (!settings.multi_tenant) return 'admins';
  return stored !== undefined && declared.has(tenant, stored) ? 'admins' : 'operator';
}

/** Whether the registry reads the source of a layer. */
export function mayIngest(
  registry: Parameters<typeof hostPathAuthority>[0],
  tenant: Tenant,
  stored: LayerRecord,
): boolean {
  const host_paths = hostPathAuthority(registry, tenant, stored);
  return authorize({ kind: 'open' }, 'ingest', { stored, host_paths }).kind === 'admitted';
}
