import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { IngestMark, LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { CallContext, Registry } from '../registry.ts';

/** A layer of a view that is kept: without its last ingest, which may come after the view. */
export type ViewLayer = Omit<LayerRecord, keyof IngestMark>;

/** The layers a caller's answers come from. Every read resolves through this one function. */
export interface View {
  /** Lowest precedence first. */
  layers: readonly ViewLayer[];
  stack: LayerStack;
  /** The place of each layer number; a higher one wins. */
  ranks: ReadonlyMap<number, number>;
  byNumber: ReadonlyMap<number, ViewLayer>;
  /** Changes with everything an answer over this view may depend on. */
  key: string;
}

interface CachedViews {
  revision: number;
  views: Map<string, View>;
}

const cached = new WeakMap<Registry, Map<number, CachedViews>>();

/** The visible layers of a caller, composed; kept until any layer of the tenant changes. */
export async function resolveView(registry: Registry, context: CallContext): Promise<View> {
  const { tenant, caller } = context;
  const revision = await registry.store.layers.revision(tenant);
  const views = viewsOf(registry, tenant, revision);
  const who = caller.kind === 'open' ? 'open' : JSON.stringify(caller);
  const known = views.get(who);
  if (known !== undefined) return known;
  const view = toView(composeLayers(await registry.store.layers.list(tenant), caller));
  // Layers that were read from a standby may be older than the revision that the primary told of.
  if ((await registry.store.layers.revision(tenant)) !== revision) return view;
  if (views.size >= MOST_CALLERS) views.clear();
  views.set(who, view);
  return view;
}

/** Callers whose views are kept at once; past it all are composed anew. */
const MOST_CALLERS = 10_000;

function viewsOf(registry: Registry, tenant: number, revision: number): Map<string, View> {
  let tenants = cached.get(registry);
  if (tenants === undefined) {
    tenants = new Map();
    cached.set(registry, tenants);
  }
  const known = tenants.get(tenant);
  if (known?.revision === revision) return known.views;
  const views = new Map<string, View>();
  tenants.set(tenant, { revision, views });
  return views;
}

/** A view over layers that are already in order, lowest precedence first. */
export function toView(layers: readonly ViewLayer[]): View {
  return {
    layers,
    stack: layers.map(({ number }) => number),
    ranks: new Map(layers.map(({ number }, rank) => [number, rank])),
    byNumber: new Map(layers.map((layer) => [layer.number, layer])),
    key: layers.map(({ number, revision }) => `${number}.${revision}`).join('-'),
  };
}
