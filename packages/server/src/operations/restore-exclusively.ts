import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { HeldLock, Locks } from '@catalog/core/ports/locks';
import { LEADER } from '../jobs/leader-election.ts';

const RESTORE = 'restore';

/**
 * Runs a restore while no other restore and no registry uses the store: a registry would serve incomplete data and
 * write between the rows. The signal of `work` aborts if the locks are lost.
 */
export async function restoreExclusively<Result>(
  locks: Locks,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const restore = await locks.tryTake(RESTORE);
  if (restore === undefined) {
    throw refused(
      'Another restore into this store is in progress.',
      'Wait until it finishes, or use another store.',
    );
  }
  let leader: HeldLock | undefined;
  try {
    // Held until the end, so that no registry becomes the leader.
    leader = await locks.tryTake(LEADER);
    if (leader === undefined) {
      throw refused(
        'A registry is using this store; a restore needs an unused one.',
        'Stop every registry that uses the store and run this again, or use another store.',
      );
    }
    return await work(AbortSignal.any([signal, restore.lost, leader.lost]));
  } finally {
    await leader?.release();
    await restore.release();
  }
}

function refused(message: string, suggested_action: string): CatalogError {
  return new CatalogError('config.invalid', message, { suggested_action });
}
