import type { Layer } from '@catalog/contract/records/layer';
import { namesOrNull } from '@catalog/core/layer/decide-patch';
import type { LayerRecord } from '@catalog/core/ports/layers';

/** A layer as every route shows it: no tenant, no secret, no key (LAYER-20, LAYER-21). */
export function toWireLayer(layer: LayerRecord): Layer {
  return {
    id: layer.id,
    source_type: layer.source_type,
    repo: layer.repo,
    ref: layer.ref,
    root: layer.root,
    local_path: layer.local_path,
    order: layer.order,
    user_defined: layer.user_defined,
    owner: layer.owner,
    public: layer.public,
    organization: layer.organization,
    groups: toNames(layer.groups),
    users: toNames(layer.users),
    git_provider: layer.git_provider,
    ...(layer.force_push_policy === '' ? {} : { force_push_policy: layer.force_push_policy }),
    ...(layer.last_ingested_at === null ? {} : { last_ingested_at: layer.last_ingested_at }),
    ...(layer.last_ingested_ref === null ? {} : { last_ingested_ref: layer.last_ingested_ref }),
    created_at: layer.created_at,
    deleted_at: layer.deleted_at,
  };
}

function toNames(names: readonly string[] | null): string[] | null {
  return namesOrNull(names)?.slice() ?? null;
}
