import type { Store } from '@catalog/core/ports/store';

/** A store whose rate is measured, and the bare way to keep vectors in the same engine. */
export interface EmbedEngine {
  name: string;
  /** Where all the work is done in this process its CPU time decides; else the clock does. */
  in_process: boolean;
  /** An empty store, in the folder if it is a file. */
  open(folder: string): Promise<Store>;
  /** Encodes every text and inserts its vector, in one loop with a transaction for each batch. */
  insertBare(folder: string, batches: readonly (readonly string[])[]): Promise<void>;
}
