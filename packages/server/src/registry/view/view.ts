import type { Narrowing } from '@catalog/core/identity/narrowing';
import type { IngestMark, LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { ViewReads } from './narrow-reads.ts';

/** Leaves out the fields of the last ingest, which may be newer than the view. */
export type ViewLayer = Omit<LayerRecord, keyof IngestMark>;

/** Resolved by `resolveView` for every read. */
export interface View {
  /** Lowest precedence first. */
  layers: readonly ViewLayer[];
  stack: LayerStack;
  /** The highest rank wins. */
  ranks: ReadonlyMap<LayerNumber, number>;
  byNumber: ReadonlyMap<LayerNumber, ViewLayer>;
  /** Changes with everything that a response over this view depends on. */
  key: string;
  /** Undefined if the caller's token has no restrictions. */
  narrowing: Narrowing | undefined;
  reads: ViewReads;
}
