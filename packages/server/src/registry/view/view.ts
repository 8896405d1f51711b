import type { Narrowing } from '@catalog/core/identity/narrowing';
import type { IngestMark, LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { ViewReads } from './narrow-reads.ts';

/** Layer without the fields of its last ingest, which may be newer than the view. */
export type ViewLayer = Omit<LayerRecord, keyof IngestMark>;

/** The layers that a caller sees, resolved for every read. */
export interface View {
  /** Layers, lowest precedence first. */
  layers: readonly ViewLayer[];
  stack: LayerStack;
  /** Rank of each layer; the highest rank wins. */
  ranks: ReadonlyMap<LayerNumber, number>;
  byNumber: ReadonlyMap<LayerNumber, ViewLayer>;
  /** Key that changes with everything a response over this view depends on. */
  key: string;
  /** Restrictions of the caller's token; undefined if there are none. */
  narrowing: Narrowing | undefined;
  reads: ViewReads;
}
