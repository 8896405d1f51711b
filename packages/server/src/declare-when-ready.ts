import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';
import type { Log } from './observe/log.ts';

interface Declaring {
  store: Pick<Store, 'availability' | 'onNotice'>;
  stopping: AbortSignal;
}

const RETRY_MS = 1000;

/**
 * Declares layers when the primary is available, so that a registry can start during an outage. Retries if the primary
 * fails again.
 */
export async function declareWhenReady(
  { store, stopping }: Declaring,
  declare: () => Promise<void>,
  log: Pick<Log, 'error'>,
): Promise<void> {
  if (store.availability().mode === 'ready') return declare();
  let declaring: Promise<void> | undefined;

  async function tryUntilDeclared(): Promise<void> {
    for (let isLogged = false; !stopping.aborted; isLogged = true) {
      try {
        await declare();
        stop();
        return;
      } catch (error) {
        if (!isLogged) {
          log.error(
            { error },
            'failed to apply tenants, admins, and layers from the configuration',
          );
        }
        const mayPass = error instanceof CatalogError && error.retryable;
        if (!mayPass || store.availability().mode !== 'ready') return;
        await delay(RETRY_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
      }
    }
  }

  const stop = store.onNotice(({ kind }) => {
    if (kind !== 'read_only_exited') return;
    declaring ??= tryUntilDeclared().finally(() => {
      declaring = undefined;
    });
  });
}
