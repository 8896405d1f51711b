import type { DetailedLayer, DetailedLayerList, LayerList } from '@catalog/contract/records/layer';
import { authorize } from '@catalog/core/authorize';
import type { Caller } from '@catalog/core/identity/caller';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import type { LayerReads, LayerRecord } from '@catalog/core/ports/layers';
import type { CallContext, Registry } from '../registry.ts';
import { isInWindow } from './load-layer.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { toWireLayer, webhookUrl } from './to-wire-layer.ts';

/** Lists layers, lowest precedence first. */
export async function listLayers(
  registry: Registry,
  context: CallContext,
  { deleted, details = false }: { deleted: boolean; details?: boolean },
): Promise<DetailedLayerList> {
  if (deleted) return listDeleted(registry, context);
  if (!details) return listLive(registry, registry.store.layers, context);
  const view = await resolveView(registry, context);
  const readable = await readLive(registry.store.layers, context);
  return {
    layers: await Promise.all(
      composeLayers(readable, { kind: 'open' }).map((layer) =>
        describeLayer(registry, context, view, layer),
      ),
    ),
  };
}

async function describeLayer(
  registry: Registry,
  { tenant, caller }: CallContext,
  view: View,
  layer: LayerRecord,
): Promise<DetailedLayer> {
  const { number, groups, source_type } = layer;
  const described: DetailedLayer = toWireLayer(registry, caller, layer);
  if (view.byNumber.has(number)) {
    const { artifact_count } = await view.reads.versions.countView(tenant, [number]);
    described.artifact_count = artifact_count;
  }
  if (caller.kind === 'subject') {
    described.matched_groups = (groups ?? []).filter((group) => caller.groups.includes(group));
  }
  if (source_type === 'git' && mayUpdate(registry, caller, layer)) {
    described.webhook_url = webhookUrl(registry, layer);
  }
  return described;
}

function mayUpdate({ settings }: Registry, caller: Caller, stored: LayerRecord): boolean {
  const use = { access: 'layer_write', writes: true, ...settings } as const;
  const update = { id: stored.id, stored, is_there: true, names_host_path: false, moves: false };
  return (
    authorize(caller, 'use', use).kind === 'admitted' &&
    authorize(caller, 'update', { ...update, host_paths: 'operator' }).kind === 'admitted'
  );
}

export async function listLive(
  registry: Registry,
  layers: LayerReads,
  context: CallContext,
): Promise<LayerList> {
  return toList(registry, context.caller, await readLive(layers, context));
}

async function readLive(
  layers: LayerReads,
  { tenant, caller }: CallContext,
): Promise<LayerRecord[]> {
  const live = await layers.list(tenant);
  return live.filter((layer) => isListed(caller, layer));
}

export function isListed(caller: Caller, stored: LayerVisibility): boolean {
  return authorize(caller, 'list', { stored }).kind === 'admitted';
}

function toList(registry: Registry, caller: Caller, layers: readonly LayerRecord[]): LayerList {
  const ordered = composeLayers(layers, { kind: 'open' });
  return { layers: ordered.map((layer) => toWireLayer(registry, caller, layer)) };
}

async function listDeleted(
  registry: Registry,
  { tenant, caller }: CallContext,
): Promise<LayerList> {
  const deleted = await registry.store.layers.listDeleted(tenant);
  const readable = deleted.filter(
    (layer) => isListed(caller, layer) && isInWindow(registry, layer),
  );
  return toList(registry, caller, readable);
}
