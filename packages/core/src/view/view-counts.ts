import type { Sensitivity } from '../artifact/types.ts';
import type { HeadRecord, LayerStack, ViewCounts } from '../ports/versions.ts';
import type { LayerNumber } from '../ports/layer-number.ts';

export interface Holder {
  layer: LayerNumber;
  type: string;
  sensitivity: Sensitivity;
}

/** Converts a head to the facts that are counted. A missing sensitivity counts as low. */
export function toHolder(
  layer: LayerNumber,
  { type, sensitivity }: Pick<HeadRecord, 'type' | 'sensitivity'>,
): Holder {
  return { layer, type, sensitivity: sensitivity ?? 'low' };
}

export interface HeadChange extends Holder {
  by: number;
}

export interface OverlapChange {
  /** Layers that share an id, by number. */
  holders: readonly Holder[];
  by: number;
}

/**
 * Changes of counts. The counts of a view are the sums of its layers minus the heads that higher layers hide, so they
 * do not depend on the size of the catalog.
 */
export interface CountChanges {
  note(before: readonly Holder[], after: readonly Holder[]): void;
  heads(): HeadChange[];
  overlaps(): OverlapChange[];
}

export function countChanges(): CountChanges {
  const heads = new Map<string, HeadChange>();
  const overlaps = new Map<string, OverlapChange>();

  function addHead(holder: Holder, by: number): void {
    const key = `${holder.layer} ${holder.sensitivity} ${holder.type}`;
    const known = heads.get(key);
    if (known === undefined) heads.set(key, { ...holder, by });
    else known.by += by;
  }

  function addOverlap(given: readonly Holder[], by: number): void {
    if (given.length < 2) return;
    const holders = given.toSorted((a, b) => a.layer - b.layer);
    const key = writeHolders(holders);
    const known = overlaps.get(key);
    if (known === undefined) overlaps.set(key, { holders, by });
    else known.by += by;
  }

  return {
    note(before, after) {
      for (const holder of before) addHead(holder, -1);
      for (const holder of after) addHead(holder, 1);
      addOverlap(before, -1);
      addOverlap(after, 1);
    },
    heads: () => [...heads.values()].filter(({ by }) => by !== 0),
    overlaps: () => [...overlaps.values()].filter(({ by }) => by !== 0),
  };
}

export interface CountedHeads extends Pick<Holder, 'type' | 'sensitivity'> {
  heads: number;
}

export interface CountedOverlap {
  holders: readonly Holder[];
  ids: number;
}

/** Combines the counts of layers. `overlaps` must contain all with at least two layers of the view. */
export function composeCounts(
  layers: LayerStack,
  heads: Iterable<CountedHeads>,
  overlaps: Iterable<CountedOverlap>,
): ViewCounts {
  let artifact_count = 0;
  const by_type = new Map<string, number>();
  const by_sensitivity = { low: 0, medium: 0, high: 0 };
  function add({ type, sensitivity }: Pick<Holder, 'type' | 'sensitivity'>, by: number): void {
    artifact_count += by;
    by_type.set(type, (by_type.get(type) ?? 0) + by);
    by_sensitivity[sensitivity] += by;
  }
  for (const counted of heads) add(counted, counted.heads);
  const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
  for (const { holders, ids } of overlaps) {
    for (const hidden of hiddenHolders(holders, ranks)) add(hidden, -ids);
  }
  return {
    artifact_count,
    by_type: Object.fromEntries([...by_type].filter(([, count]) => count > 0)),
    by_sensitivity,
  };
}

function hiddenHolders(
  holders: readonly Holder[],
  ranks: ReadonlyMap<LayerNumber, number>,
): readonly Holder[] {
  return holders
    .filter(({ layer }) => ranks.has(layer))
    .sort((a, b) => (ranks.get(b.layer) ?? 0) - (ranks.get(a.layer) ?? 0))
    .slice(1);
}

/** Encodes layers that share an id, by number. Equal sets have equal encodings. */
export function writeHolders(holders: readonly Holder[]): string {
  return JSON.stringify(holders.map(({ layer, type, sensitivity }) => [layer, type, sensitivity]));
}

export function readHolders(text: string): Holder[] {
  const holders: [number, string, Sensitivity][] = JSON.parse(text);
  return holders.map(([layer, type, sensitivity]) => ({ layer, type, sensitivity }));
}
