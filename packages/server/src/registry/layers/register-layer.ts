import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RegisteredLayer, RegisterLayerBody } from '@catalog/contract/records/layer';
import { requireAuthorized } from '@catalog/core/authorize';
import { assertedFields, classifyRegistration } from '@catalog/core/layer/classify-registration';
import { hasSameHolder } from '@catalog/core/layer/layer-holder';
import {
  readGitProvider,
  readLayerRoot,
  readLocalPath,
  readRepo,
} from '@catalog/core/layer/source-fields';
import type { LayerRecord, NewLayer } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requireLayerConfigUnfrozen } from '../freeze/require-unfrozen.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { requestIngest } from '../ingest/request-ingest.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { purgeExpired } from '../retention/sweep-tenant.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { emptyLayer } from './empty-layer.ts';
import { createInitialLayer } from './create-initial-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { requireLayerQuota } from './require-layer-quota.ts';
import { setAsideLayer } from './set-aside-layer.ts';
import { toWireLayer, webhookUrl } from './to-wire-layer.ts';

/**
 * Registers a layer, or replaces one with the same id. A replaced layer gets the highest precedence and a new secret.
 * It serves its content until the first ingest of the new source, unless it was deleted (SPEC-7). If the class or the
 * owner changes, the new layer gets no content of the former one (SPEC-85).
 */
export async function registerLayer(
  registry: Registry,
  context: CallContext,
  body: RegisterLayerBody,
): Promise<RegisteredLayer> {
  const { tenant, caller } = context;
  const source = readSource(body);
  return registry.store.transaction(async (writes) => {
    const auditContext = callAuditContext(registry, context);
    // An expired deleted layer is purged first, so that the new layer gets none of its content.
    await purgeExpired(registry, writes, tenant, body.id, auditContext);
    const stored = await writes.layers.get(tenant, body.id);
    const asserts = assertedFields(body, caller);
    const host_paths = hostPathAuthority(registry, tenant);
    requireAuthorized(caller, 'register', { id: body.id, stored, source, asserts, host_paths });
    await requireLayerConfigUnfrozen(registry, writes.freezes, tenant);
    await requireAuditVolume(registry, writes.tenants, tenant);
    const isGit = source.source_type === 'git';
    const named = { id: body.id, ...source, ...classifyRegistration(body, caller) };
    const isTakenOver = stored !== undefined && !hasSameHolder(stored, named);
    if (isTakenOver) await setAsideLayer(writes, tenant, auditContext, stored);
    const before = isTakenOver ? undefined : stored;
    const layer = await putLayer(writes, tenant, before, {
      ...named,
      ...(await createInitialLayer(registry, writes, tenant, auditContext, named, before)),
    });
    await requireLayerQuota(registry, writes, tenant, layer, before);
    const restored_versions =
      before === undefined || before.deleted_at === null
        ? 0
        : await writes.versions.countVersions(tenant, layer.number);
    await recordLayerChange(writes, tenant, auditContext, {
      action: 'register',
      layers: [layer],
      publishes: true,
    });
    await requestIngest(registry, writes, tenant, {
      layer_id: layer.id,
      full: true,
      trigger: 'register',
    });
    return {
      layer: toWireLayer(registry, caller, layer),
      ...(isGit
        ? { webhook_url: webhookUrl(registry, layer), webhook_secret: layer.webhook_secret }
        : {}),
      ...(restored_versions === 0 ? {} : { restored_versions }),
    };
  });
}

type SourceMembers = Pick<
  LayerRecord,
  'source_type' | 'repo' | 'ref' | 'root' | 'local_path' | 'git_provider' | 'force_push_policy'
>;

/** Reads the source of a request. An empty `ref` is the default branch of the repository. */
export function readSource(body: RegisterLayerBody): SourceMembers {
  const { source_type, repo = '', local_path = '', git_provider = '' } = body;
  if (source_type === 'git' && repo === '') throw missing('repo', 'git');
  if (source_type === 'local' && local_path === '') throw missing('local_path', 'local');
  return {
    source_type,
    repo: readRepo(repo),
    ref: body.ref ?? '',
    root: readLayerRoot(body.root ?? ''),
    local_path: local_path === '' ? '' : readLocalPath(local_path),
    git_provider: readGitProvider(git_provider, source_type),
    force_push_policy: body.force_push_policy ?? '',
  };
}

function missing(argument: 'repo' | 'local_path', source_type: string): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `A layer with the source type \`${source_type}\` requires \`${argument}\`.`,
    {
      details: { argument },
      suggested_action: `Set \`${argument}\` to the location of its files.`,
    },
  );
}

async function putLayer(
  writes: StoreWrites,
  tenant: Tenant,
  stored: LayerRecord | undefined,
  layer: NewLayer,
): Promise<LayerRecord> {
  if (stored === undefined) return writes.layers.create(tenant, layer);
  const { number, revision } = stored;
  const replaced = { ...layer, number, revision };
  await writes.layers.replace(tenant, replaced);
  if (stored.deleted_at !== null) await emptyLayer(writes, tenant, number);
  return replaced;
}
