import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { composeLayers, type ComposableLayer } from './compose-layers.ts';

/** Difference between the numbers of layers: 10, 20, 30 (SPEC-18). */
export const ORDER_STEP = 10;

export function tailOrder(layers: readonly ComposableLayer[]): number {
  return layers.reduce((highest, { order }) => Math.max(highest, order), 0) + ORDER_STEP;
}

export type ReorderDecision<Layer> =
  | { kind: 'unchanged' }
  | {
      kind: 'changed';
      layers: readonly Layer[];
      moved: readonly Layer[];
    };

/** Assigns the places of the named layers to them in the new order. Other layers keep their places (SPEC-57). */
export function decideReorder<Layer extends ComposableLayer>(
  layers: readonly Layer[],
  order: readonly string[],
  isWritable: (layer: Layer) => boolean,
): ReorderDecision<Layer> {
  const before = composeLayers(layers, { kind: 'open' });
  const named = findNamed(before, order, isWritable);
  const isNamed = new Set(named);
  let next = 0;
  const placed = before.map((layer) => (isNamed.has(layer) ? (named[next++] ?? layer) : layer));
  const after = composeLayers(
    placed.map((layer, place) => ({ ...layer, order: (place + 1) * ORDER_STEP })),
    { kind: 'open' },
  );
  const moved = after.filter((layer, place) => layer.id !== before[place]?.id);
  if (moved.length === 0) return { kind: 'unchanged' };
  const orders = new Map(before.map((layer) => [layer.id, layer.order]));
  return {
    kind: 'changed',
    layers: after.filter((layer) => layer.order !== orders.get(layer.id)),
    moved,
  };
}

function findNamed<Layer extends ComposableLayer>(
  layers: readonly Layer[],
  order: readonly string[],
  isWritable: (layer: Layer) => boolean,
): Layer[] {
  const writable = new Map(layers.filter(isWritable).map((layer) => [layer.id, layer]));
  const named = new Map<string, Layer>();
  const wrong = new Set<string>();
  for (const id of order) {
    const layer = writable.get(id);
    if (layer === undefined || named.has(id)) wrong.add(id);
    else named.set(id, layer);
  }
  if (wrong.size > 0) throw invalidOrder([...wrong]);
  return [...named.values()];
}

/** Creates one error for both causes, so that callers cannot learn whether another user's layer exists. */
function invalidOrder(ids: string[]): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `\`order\` must list layers you can reorder, each once. Not valid: ${ids.map((id) => `\`${id}\``).join(', ')}.`,
    {
      details: { argument: 'order', fields: ids },
      suggested_action: 'List layers with `GET /v1/layers` and use each id once.',
    },
  );
}
