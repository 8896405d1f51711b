import type { LayerVisibility } from '@catalog/core/layer/visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../ingest/request-ingest.ts';
import { systemAuditContext, type AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { SOURCE_MEMBERS, type Source } from './declared-sources.ts';
import { emptyLayer } from './empty-layer.ts';
import { createInitialLayer } from './create-initial-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { setAsideLayer } from './set-aside-layer.ts';

/** Layer of the configuration; absent strings are empty. */
export interface LayerDeclaration
  extends Source, Pick<LayerRecord, 'id' | 'git_provider' | 'force_push_policy'> {
  /** Visibility; undefined keeps the current one, or the default of the deployment for a new layer. */
  visibility: LayerVisibility | undefined;
}

export interface DeclarationEffects {
  /** Personal layers whose ids now belong to declared layers (SPEC-85). */
  replaced: LayerRecord[];
  returned: ReturnedLayer[];
}

export interface ReturnedLayer {
  id: string;
  restored_versions: number;
}

/** Default visibility if neither the layer nor the deployment sets one (SPEC-6). */
const ORGANIZATION: LayerVisibility = {
  public: false,
  organization: true,
  groups: null,
  users: null,
};

/**
 * Declares layers of the configuration. Missing layers are created with the highest precedence; existing ones get the
 * declared fields but keep their order, so that a reorder survives restarts. The declared layer replaces a personal
 * layer with its id.
 */
export async function declareLayers(
  registry: Registry,
  tenant: Tenant,
  declarations: readonly LayerDeclaration[],
  default_visibility = ORGANIZATION,
): Promise<DeclarationEffects> {
  if (declarations.length === 0) return { replaced: [], returned: [] };
  for (const declaration of declarations) registry.declared.add(tenant, declaration);
  const auditContext = systemAuditContext(registry, 'configuration');
  return registry.store.transaction(async (writes) => {
    const effects: DeclarationEffects = { replaced: [], returned: [] };
    for (const declaration of declarations) {
      const stored = await writes.layers.get(tenant, declaration.id);
      if (stored?.user_defined === true) {
        await setAsideLayer(writes, tenant, auditContext, stored);
        effects.replaced.push(stored);
      }
      if (stored === undefined || stored.user_defined) {
        const visibility = declaration.visibility ?? default_visibility;
        await create(registry, writes, tenant, auditContext, { ...declaration, visibility });
      } else {
        await update(registry, writes, tenant, auditContext, stored, declaration);
        if (stored.deleted_at !== null) {
          const restored_versions = await writes.versions.countVersions(tenant, stored.number);
          if (restored_versions > 0) effects.returned.push({ id: stored.id, restored_versions });
        }
      }
    }
    return effects;
  });
}

async function create(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  { visibility, ...named }: LayerDeclaration & { visibility: LayerVisibility },
): Promise<void> {
  const layer = await writes.layers.create(tenant, {
    ...named,
    ...visibility,
    user_defined: false,
    owner: '',
    ...(await createInitialLayer(registry, writes, tenant, auditContext, named)),
  });
  await recordLayerChange(writes, tenant, auditContext, {
    action: 'register',
    layers: [layer],
    publishes: true,
  });
  await requestStart(registry, writes, tenant, layer);
}

async function update(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  stored: LayerRecord,
  declaration: LayerDeclaration,
): Promise<void> {
  const layer = withDeclared(registry, stored, declaration);
  const fields = changedFields(stored, layer);
  if (fields.length === 0) {
    // A process without this declaration may have rejected the first ingest.
    if (stored.source_state === null) await requestStart(registry, writes, tenant, stored);
    return;
  }
  await writes.layers.replace(tenant, layer);
  if (stored.deleted_at !== null) await emptyLayer(writes, tenant, stored.number);
  await recordLayerChange(writes, tenant, auditContext, {
    action: stored.deleted_at === null ? 'update' : 'register',
    layers: [layer],
    fields,
    publishes: true,
  });
  await requestStart(registry, writes, tenant, layer);
}

async function requestStart(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { id: layer_id }: LayerRecord,
): Promise<void> {
  await requestIngest(registry, writes, tenant, { layer_id, full: true, trigger: 'start' });
}

/** Returns a layer with the declared fields. If its source changed, it counts as not ingested. */
function withDeclared(
  registry: Registry,
  stored: LayerRecord,
  { visibility, ...named }: LayerDeclaration,
): LayerRecord {
  const isGit = named.source_type === 'git';
  const layer: LayerRecord = { ...stored, ...named, ...visibility, deleted_at: null };
  const hasNewSource = SOURCE_MEMBERS.some((member) => layer[member] !== stored[member]);
  if (!hasNewSource) return layer;
  return {
    ...layer,
    source_state: null,
    last_ingested_ref: null,
    webhook_secret: isGit ? stored.webhook_secret || registry.newSecret() : '',
    webhook_key: isGit ? stored.webhook_key || registry.newId() : '',
  };
}

const DECLARED_MEMBERS = [
  ...SOURCE_MEMBERS,
  'git_provider',
  'force_push_policy',
  'public',
  'organization',
  'groups',
  'users',
  'deleted_at',
] as const;

function changedFields(before: LayerRecord, after: LayerRecord): string[] {
  return DECLARED_MEMBERS.filter(
    (member) => JSON.stringify(before[member] ?? []) !== JSON.stringify(after[member] ?? []),
  );
}
