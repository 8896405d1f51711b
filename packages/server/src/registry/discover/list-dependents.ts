import { PAGE_DEFAULT } from '@catalog/contract/limits';
import type { DependentsResponse } from '@catalog/contract/records/discovery';
import type { Edge, EdgePlace, HeadRecord } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import { winningHead } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { invalidCursor } from './invalid-cursor.ts';

export interface DependentsQuery {
  id: string;
  /** A limit or a cursor selects a page; without both, the list is complete. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

const BATCH = 1000;

export async function listDependents(
  registry: Registry,
  context: CallContext,
  { id, limit, cursor }: DependentsQuery,
): Promise<DependentsResponse> {
  const view = await resolveView(registry, context);
  const after = cursor === undefined || cursor === '' ? undefined : readCursor(cursor);
  if (limit === undefined && cursor === undefined) {
    return { edges: await listVisible(context, view, { id, after, limit: Infinity }) };
  }
  const size = limit ?? PAGE_DEFAULT;
  // One more visible edge is read, so that hidden edges never cause an empty last page.
  const edges = await listVisible(context, view, { id, after, limit: size + 1 });
  const last = edges[size - 1];
  if (edges.length <= size || last === undefined) return { edges };
  return { edges: edges.slice(0, size), next_cursor: writeCursor(last) };
}

type DependentEdge = DependentsResponse['edges'][number];

async function listVisible(
  { tenant }: CallContext,
  view: View,
  { id, after, limit }: { id: string; after: EdgePlace | undefined; limit: number },
): Promise<DependentEdge[]> {
  const { versions } = view.reads;
  const targets = await versions.listHeadsOf(tenant, view.stack, [id]);
  const shown: DependentEdge[] = [];
  const size = Math.min(limit, BATCH);
  for (let place = after; ;) {
    const edges = await versions.listEdgesTo(tenant, view.stack, id, { after: place, limit: size });
    const heads = Map.groupBy(
      await versions.listHeadsOf(tenant, view.stack, [...new Set(edges.map(({ from }) => from))]),
      (head) => head.id,
    );
    for (const edge of edges) {
      const isServed = winningHead(view, heads.get(edge.from) ?? [])?.layer === edge.layer;
      if (isServed && isVisibleEdge(edge, targets)) shown.push(toEntry(view, edge, targets));
    }
    if (edges.length < size || shown.length >= limit) return shown.slice(0, limit);
    place = edges.at(-1);
  }
}

function toEntry(view: View, edge: LayerEdge, targets: readonly HeadRecord[]): DependentEdge {
  const { from, to, kind } = edge;
  return { from, to, kind, ...(isStale(view, edge, targets) ? { stale: true } : {}) };
}

/**
 * Returns true if the caller may see an edge. Delegations are part of a visible manifest. Other edges also require a
 * visible target.
 */
function isVisibleEdge({ kind, from, layer }: LayerEdge, targets: readonly HeadRecord[]): boolean {
  return (
    kind === 'delegates_to' ||
    targets.some((target) => target.id !== from || target.layer !== layer)
  );
}

type LayerEdge = Edge & { layer: LayerNumber };

/**
 * Returns true if no visible layer still has the parent version that the child was merged with (SPEC-23). An overlay of
 * the same id is not its own parent.
 */
function isStale(view: View, edge: LayerEdge, targets: readonly HeadRecord[]): boolean {
  if (edge.kind !== 'extends') return false;
  const rank = view.ranks.get(edge.layer) ?? 0;
  const parents = targets.filter(
    ({ id, layer }) => id !== edge.from || (view.ranks.get(layer) ?? 0) < rank,
  );
  return parents.length > 0 && parents.every(({ version }) => version !== edge.to_version);
}

function writeCursor({ from, kind }: EdgePlace): string {
  return `${kind} ${from}`;
}

function readCursor(cursor: string): EdgePlace {
  const [, kind, from] = /^(extends|delegates_to|mcpServers) (.+)$/s.exec(cursor) ?? [];
  if (kind === undefined || from === undefined) throw invalidCursor();
  return { kind, from };
}
