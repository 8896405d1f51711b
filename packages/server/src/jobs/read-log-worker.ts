import { recordLostReads, storeReads } from '../registry/audit/store-reads.ts';
import type { Registry } from '../registry/registry.ts';

export interface ReadLogWorkerOptions {
  interval_ms: number;
  onFailure: (cause: unknown) => void;
}

export interface ReadLogWorker {
  /** Stores the last batch. */
  close(): Promise<void>;
}

/** Stores the collected reads at intervals, and as soon as a batch is full. */
export function startReadLogWorker(
  registry: Registry,
  process: string,
  { interval_ms, onFailure }: ReadLogWorkerOptions,
): ReadLogWorker {
  const { read_log, store } = registry;
  let underway: Promise<void> | undefined;

  function run(): void {
    read_log.roll();
    underway ??= storeAll()
      .catch(onFailure)
      .finally(() => {
        underway = undefined;
      });
  }

  async function storeAll(): Promise<void> {
    // Held until the read-only mode ends.
    if (store.availability().mode !== 'ready') return;
    const batches = read_log.take();
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      try {
        await storeReads(registry, process, batch);
      } catch (error) {
        for (const kept of [batch, ...batches]) read_log.restore(kept);
        throw error;
      }
    }
    await recordLostReads(registry, process);
  }

  read_log.onFull(run);
  const timer = setInterval(run, interval_ms).unref();
  return {
    async close() {
      clearInterval(timer);
      await underway;
      run();
      await underway;
      // Otherwise, the next leader records that this process ended without its last batch.
      if (read_log.size() > 0) return;
      await store.transaction((writes) => writes.read_log.removeWriter(process)).catch(onFailure);
    },
  };
}
