import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { tryFileMutex } from '@catalog/core/node/file-mutex';
import { now } from '../clock.ts';
import { makeStateFolder, statePath } from './state-folder.ts';

export interface HoldOptions {
  /** How long to wait for another sync to finish. */
  wait_ms: number;
  /** Called once, when waiting begins. */
  onWait?: (holder: string) => void;
}

export interface Hold {
  release(): void;
}

const RETRY_MS = 25;

/** One sync per target at a time, whatever ends the one before. */
export async function holdTarget(
  directory: string,
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<Hold> {
  makeStateFolder(directory);
  const folder = statePath(directory);
  const files = { mutex: `${folder}/mutex.db`, holder: `${folder}/holder` };
  const give_up_at = now() + options.wait_ms;
  let waited = false;
  for (;;) {
    const taken = await tryFileMutex(files);
    if (!('holder' in taken)) return taken;
    if (now() >= give_up_at) throw heldElsewhere(directory, taken.holder);
    if (!waited) options.onWait?.(taken.holder);
    waited = true;
    await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
  }
}

function heldElsewhere(directory: string, holder: string): CatalogError {
  return new CatalogError(
    'materialize.locked',
    `Another sync is writing to ${directory} (${holder}).`,
    { details: { directory, holder } },
  );
}
