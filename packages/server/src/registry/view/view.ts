import type { Narrowing } from '@catalog/core/identity/narrowing';
import type { IngestMark, LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { ViewReads } from './narrow-reads.ts';

/** A layer of a view that is kept: without its last ingest, which may come after the view. */
export type ViewLayer = Omit<LayerRecord, keyof IngestMark>;

/** The layers a caller's answers come from. Every read resolves through this one function. */
export interface View {
  /** Lowest precedence first. */
  layers: readonly ViewLayer[];
  stack: LayerStack;
  /** The place of each layer number; a higher one wins. */
  ranks: ReadonlyMap<LayerNumber, number>;
  byNumber: ReadonlyMap<LayerNumber, ViewLayer>;
  /** Changes with everything an answer over this view may depend on. */
  key: string;
  /** What the caller's token narrows it to; undefined is not at all. */
  narrowing: Narrowing | undefined;
  /** What answers over it are read from: nothing the narrowing leaves out. */
  reads: ViewReads;
}
