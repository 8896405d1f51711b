import type { ReorderPreview } from '@catalog/contract/records/layer';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { authorize } from '@catalog/core/authorize';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { decideReorder } from '@catalog/core/layer/decide-reorder';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import { winningHead } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';

const BATCH = 200;
/** Maximum number of steps, of compared pairs of layers, and of listed changes. */
const MAX_STEPS = 100;
const MAX_PAIRS = 10_000;
const MAX_CHANGES = 200;

export async function previewReorder(
  registry: Registry,
  context: CallContext,
  { order }: { order: readonly string[] },
): Promise<ReorderPreview> {
  const { tenant, caller } = context;
  const live = await registry.store.layers.list(tenant);
  const isWritable = (stored: LayerRecord): boolean =>
    authorize(caller, 'reorder', { stored }).kind === 'admitted';
  const decision = decideReorder(live, order, isWritable);
  const placed = new Map(
    decision.kind === 'changed' ? decision.layers.map((layer) => [layer.id, layer]) : [],
  );
  const layers = composeLayers(
    live.map((layer) => placed.get(layer.id) ?? layer),
    caller,
  );
  const view = await resolveView(registry, context);
  const ranks = new Map(layers.map(({ number }, rank) => [number, rank]));
  const found = await findChanges(context, view, ranks);
  return {
    order: layers.map(({ id }) => id),
    changes: found.changes.slice(0, MAX_CHANGES),
    ...(found.isComplete && found.changes.length <= MAX_CHANGES ? {} : { truncated: true }),
  };
}

type Change = ReorderPreview['changes'][number];

/**
 * Finds artifacts that another layer would serve after a reorder. Only pairs of layers that change their relative order
 * matter. Their layers are read in batches until one of each pair is complete, because it contains all ids that the two
 * share.
 */
async function findChanges(
  { tenant }: CallContext,
  view: View,
  after: View['ranks'],
): Promise<{ changes: Change[]; isComplete: boolean }> {
  const changes = new Map<string, Change>();
  const inverted = listInverted(view.stack, after);
  let open = inverted;
  const places = new Map<LayerNumber, string>();
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS;) {
    for (const layer of [...new Set(open.flat())].slice(0, MAX_STEPS - steps)) {
      steps += 1;
      const page = { prefix: '', after: places.get(layer) ?? '', limit: BATCH };
      const listed = await view.reads.versions.listView(tenant, [layer], page);
      const ids = listed.map(({ id }) => id);
      const heads = await view.reads.versions.listHeadsOf(tenant, view.stack, ids);
      for (const [id, held] of Map.groupBy(heads, (head) => head.id)) {
        const from = winningHead(view, held);
        const to = winningHead({ ranks: after }, held);
        if (from === undefined || to === undefined || from.layer === to.layer) continue;
        changes.set(id, { id, from: toServed(view, from), to: toServed(view, to) });
      }
      places.set(layer, ids.at(-1) ?? '');
      if (listed.length < BATCH) open = open.filter((pair) => !pair.includes(layer));
    }
  }
  return {
    changes: [...changes.values()].sort((a, b) => compareBytes(a.id, b.id)),
    isComplete: open.length === 0 && inverted.length < MAX_PAIRS,
  };
}

/** Lists pairs of layers whose relative order changes. */
function listInverted(
  stack: readonly LayerNumber[],
  after: View['ranks'],
): [LayerNumber, LayerNumber][] {
  const pairs: [LayerNumber, LayerNumber][] = [];
  for (const [place, low] of stack.entries()) {
    for (const high of stack.slice(place + 1)) {
      if (pairs.length === MAX_PAIRS) return pairs;
      if ((after.get(low) ?? 0) > (after.get(high) ?? 0)) pairs.push([low, high]);
    }
  }
  return pairs;
}

function toServed(view: View, { layer, version }: HeadRecord): Change['from'] {
  return { layer: view.byNumber.get(layer)?.id ?? '', version };
}
