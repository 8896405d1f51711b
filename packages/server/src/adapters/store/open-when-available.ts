import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';
import type { Log } from '../../observe/log.ts';
import { monotonicMs } from '../clock.ts';

export interface OpenWhenAvailableOptions {
  open: () => Promise<Store>;
  /** Duration of retries; 0 allows a single attempt. */
  timeout_ms: number;
  log: Pick<Log, 'warn' | 'info'>;
  signal?: AbortSignal | undefined;
}

const RETRY_INTERVAL_MS = 1_000;

/**
 * Retries while the database is unavailable. Other errors, such as a wrong password, are thrown
 * immediately.
 */
export async function openWhenAvailable(options: OpenWhenAvailableOptions): Promise<Store> {
  const { open, timeout_ms, log, signal } = options;
  const end_ms = monotonicMs() + timeout_ms;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const store = await open();
      if (attempt > 1) log.info({ attempt }, 'the database has recovered');
      return store;
    } catch (error) {
      const left_ms = end_ms - monotonicMs();
      if (!isUnavailable(error) || left_ms <= 0) throw error;
      if (attempt === 1) {
        const startup_timeout_seconds = timeout_ms / 1000;
        log.warn({ error, startup_timeout_seconds }, 'the database is unavailable; retrying');
      }
      await delay(Math.min(RETRY_INTERVAL_MS, left_ms), undefined, { signal });
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'registry.unavailable';
}
