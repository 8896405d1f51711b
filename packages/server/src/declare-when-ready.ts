import type { Store } from '@catalog/core/ports/store';
import type { Log } from './observe/log.ts';

/**
 * A registry also starts while its primary is away; what it declares is written when it can be. A
 * primary that goes again before that is waited for again.
 */
export async function declareWhenReady(
  store: Pick<Store, 'availability' | 'onNotice'>,
  declare: () => Promise<void>,
  log: Pick<Log, 'error'>,
): Promise<void> {
  if (store.availability().mode === 'ready') return declare();
  const stop = store.onNotice(({ kind }) => {
    if (kind !== 'read_only_exited') return;
    declare().then(stop, (error: unknown) =>
      log.error({ error }, 'failed to apply tenants, admins, and layers from the configuration'),
    );
  });
}
