import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { Caller } from '@catalog/core/identity/caller';
import { narrow, type Narrowing } from '@catalog/core/identity/narrowing';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { CACHE_LIMITS } from '../caches.ts';
import type { CallContext, Registry } from '../registry.ts';
import { narrowReads } from './narrow-reads.ts';
import type { View, ViewLayer } from './view.ts';

/** Context for resolving a view; without a revision, the current one is read. */
export interface ViewContext extends Pick<CallContext, 'tenant' | 'caller'> {
  revision?: CallContext['revision'];
}

/** Options for resolving the layers that a caller can see. */
export interface ViewOptions {
  /** True to include all layers. The route has checked the permission. */
  as_admin?: boolean;
}

/** Resolves the view of a caller, which is cached until a layer of the tenant changes. */
export async function resolveView(
  registry: Registry,
  context: ViewContext,
  { as_admin = false }: ViewOptions = {},
): Promise<View> {
  const { tenant, caller } = context;
  const revision = context.revision ?? (await registry.store.layers.revision(tenant));
  const views = viewsOf(registry, tenant, revision);
  const who = as_admin ? `admin ${grantsKey(caller)}` : keyOf(caller);
  const known = views.get(who);
  if (known !== undefined) return known;
  const seen = as_admin ? ALL_LAYERS_CALLER : caller;
  const found = await registry.store.together(tenant, async ({ layers }) => ({
    revision: await layers.revision(tenant),
    layers: await layers.list(tenant),
  }));
  const layers = composeLayers(found.layers, seen);
  const grants = caller.kind === 'subject' ? caller.grants : undefined;
  const view = toView(registry.store, layers, grants && narrow(grants));
  // A standby may return layers that are older than the revision.
  if (found.revision !== revision) return view;
  if (views.size >= CACHE_LIMITS.views) views.clear();
  views.set(who, view);
  return view;
}

const keys = new WeakMap<Caller, string>();

/** Returns the cache key of a caller. Callers with the same key see the same layers. */
function keyOf(caller: Caller): string {
  if (caller.kind !== 'subject') return caller.kind;
  let key = keys.get(caller);
  if (key === undefined) {
    key = JSON.stringify([
      caller.subject,
      caller.email_verified === true ? caller.email : '',
      caller.groups,
      caller.grants,
    ]);
    keys.set(caller, key);
  }
  return key;
}

function grantsKey(caller: Caller): string {
  return JSON.stringify(caller.kind === 'subject' ? (caller.grants ?? null) : null);
}

const ALL_LAYERS_CALLER: Caller = { kind: 'open' };

function viewsOf({ caches }: Registry, tenant: Tenant, revision: number): Map<string, View> {
  const known = caches.views.get(tenant);
  if (known?.revision === revision) return known.views;
  const views = new Map<string, View>();
  caches.views.set(tenant, { revision, views });
  return views;
}

/** Creates a view of layers, lowest precedence first. */
export function toView(
  store: StoreReads,
  layers: readonly ViewLayer[],
  narrowing?: Narrowing,
): View {
  return {
    layers,
    stack: layers.map(({ number }) => number),
    ranks: new Map(layers.map(({ number }, rank) => [number, rank])),
    byNumber: new Map(layers.map((layer) => [layer.number, layer])),
    key: layers.map(({ number, revision }) => `${number}.${revision}`).join('-'),
    narrowing,
    reads: narrowing === undefined ? store : narrowReads(store, narrowing),
  };
}
