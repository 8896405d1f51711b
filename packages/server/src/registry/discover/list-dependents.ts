import type { DependentsResponse } from '@catalog/contract/records/discovery';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Edge, HeadRecord } from '@catalog/core/ports/versions';
import { winningHead } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView, type View } from '../view/resolve-view.ts';

/** Who in the caller's view extends, delegates to or serves through an artifact. */
export async function listDependents(
  registry: Registry,
  context: CallContext,
  id: string,
): Promise<DependentsResponse> {
  const { tenant } = context;
  const view = await resolveView(registry, context);
  const { versions } = view.reads;
  const edges = await versions.listEdgesTo(tenant, view.stack, id);
  const named = [id, ...new Set(edges.map(({ from }) => from))];
  const heads = Map.groupBy(
    await versions.listHeadsOf(tenant, view.stack, named),
    (head) => head.id,
  );
  const targets = heads.get(id) ?? [];
  const shown = edges.filter(
    (edge) =>
      winningHead(view, heads.get(edge.from) ?? [])?.layer === edge.layer && isTold(edge, targets),
  );
  return {
    edges: shown
      .sort((a, b) => compareBytes(a.from, b.from) || compareBytes(a.kind, b.kind))
      .map((edge) => ({
        from: edge.from,
        to: edge.to,
        kind: edge.kind,
        ...(isStale(view, edge, targets) ? { stale: true } : {}),
      })),
  };
}

/**
 * Whom an artifact delegates to stands in its manifest. Which artifact it extends, and which one its
 * servers are, only the registry knows; that is not told of an artifact the caller cannot see.
 */
function isTold({ kind, from, layer }: LayerEdge, targets: readonly HeadRecord[]): boolean {
  return (
    kind === 'delegates_to' ||
    targets.some((target) => target.id !== from || target.layer !== layer)
  );
}

type LayerEdge = Edge & { layer: number };

/**
 * Whether a parent has moved on: no visible layer serves the version any more that the child was
 * merged with (decision 23). An overlay of the same id is not its own parent.
 */
function isStale(view: View, edge: LayerEdge, targets: readonly HeadRecord[]): boolean {
  if (edge.kind !== 'extends') return false;
  const rank = view.ranks.get(edge.layer) ?? 0;
  const parents = targets.filter(
    ({ id, layer }) => id !== edge.from || (view.ranks.get(layer) ?? 0) < rank,
  );
  return parents.length > 0 && parents.every(({ version }) => version !== edge.to_version);
}
