import type { Layer } from '@catalog/contract/records/layer';
import { maySeeHostPaths, namesHostPath } from '@catalog/core/authorize';
import type { Caller } from '@catalog/core/identity/caller';
import { namesOrNull } from '@catalog/core/layer/decide-patch';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Registry } from '../registry.ts';

/**
 * Converts a layer for a response, without tenant, secret and key (LAYER-20, LAYER-21). Only administrators get host
 * paths.
 */
export function toWireLayer(
  { settings }: Pick<Registry, 'settings'>,
  caller: Caller,
  layer: LayerRecord,
): Layer {
  const showsPaths = maySeeHostPaths(caller, settings);
  return {
    id: layer.id,
    source_type: layer.source_type,
    repo: showsPaths || !namesHostPath(layer) ? layer.repo : '',
    ref: layer.ref,
    root: layer.root,
    local_path: showsPaths ? layer.local_path : '',
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
    ...(layer.frozen_since === null ? {} : { frozen_since: layer.frozen_since }),
    created_at: layer.created_at,
    deleted_at: layer.deleted_at,
  };
}

/** Returns the webhook URL, which contains a key, for callers who may change the layer. */
export function webhookUrl(
  { settings }: Pick<Registry, 'settings'>,
  { id, webhook_key }: Pick<LayerRecord, 'id' | 'webhook_key'>,
): string {
  const url = `${settings.public_url}/v1/ingest/webhook/${encodeURIComponent(id)}`;
  return `${url}?key=${encodeURIComponent(webhook_key)}`;
}

function toNames(names: readonly string[] | null): string[] | null {
  return namesOrNull(names)?.slice() ?? null;
}
