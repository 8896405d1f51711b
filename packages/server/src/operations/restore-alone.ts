import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Hold, Locks } from '@catalog/core/ports/locks';
import { LEADER } from '../jobs/lead.ts';

const RESTORE = 'restore';

/**
 * Fills a store while nobody else does, and no registry serves from it: one that was there before the
 * copy began would show a part of it, and write between its rows. `work` gets a signal that also fires
 * when others may have come in.
 */
export async function restoreAlone<Result>(
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
  let leader: Hold | undefined;
  try {
    // Kept until the end, so that no process takes up the duties of a leader meanwhile.
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
