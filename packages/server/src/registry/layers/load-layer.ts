import { requireAuthorized, type ActionFacts } from '@catalog/core/authorize';
import type { Caller } from '@catalog/core/identity/caller';
import { isReplaced } from '@catalog/core/layer/layer-holder';
import { isRecoverable } from '@catalog/core/layer/recovery-window';
import type { LayerReads, LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Finds a layer that is live or can be restored. */
export async function findLayer(
  registry: Registry,
  layers: LayerReads,
  tenant: Tenant,
  id: string,
): Promise<LayerRecord | undefined> {
  const layer = await layers.get(tenant, id);
  if (layer === undefined || layer.deleted_at === null) return layer;
  return isInWindow(registry, layer) ? layer : undefined;
}

export function isInWindow(registry: Registry, layer: LayerRecord): boolean {
  const { deleted_at } = layer;
  const { layer_recovery_days } = registry.settings;
  if (deleted_at === null || isReplaced(layer)) return false;
  return isRecoverable(deleted_at, registry.now(), layer_recovery_days);
}

type LayerAction = 'update' | 'unregister' | 'restore' | 'reingest';

export function requireLayer<Name extends LayerAction>(
  caller: Caller,
  action: Name,
  facts: Omit<ActionFacts[Name], 'is_there'> & { stored: LayerRecord | undefined },
): LayerRecord {
  const { stored } = facts;
  const is_there = ((stored?.deleted_at ?? null) !== null) === (action === 'restore');
  requireAuthorized<LayerAction>(caller, action, { ...NO_PATCH, ...facts, is_there });
  if (stored === undefined) throw new TypeError('a missing layer has no permitted callers');
  return stored;
}

const NO_PATCH = { names_host_path: false, moves: false, host_paths: 'operator' } as const;
