import { setTimeout as delay } from 'node:timers/promises';
import { tryFileMutex, type FileMutex } from '@catalog/core/node/file-mutex';
import { now } from '../clock.ts';

export interface HoldOptions {
  wait_ms: number;
  /** Called once when waiting starts. */
  onWait?: (holder: string) => void;
}

/** Another process held the mutex for the whole wait. */
export interface MutexHeld {
  holder: string;
}

const RETRY_MS = 25;

/** Format of the holder, which messages contain: a clone could contain any text. */
const HOLDER = /^process \d{1,10}$/;

export async function acquireMutex(
  files: { mutex: string; holder: string },
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<FileMutex | MutexHeld> {
  const give_up_at = now() + options.wait_ms;
  let waited = false;
  for (;;) {
    const result = await tryFileMutex(files);
    if (!('holder' in result)) return result;
    const holder = HOLDER.test(result.holder) ? result.holder : 'another process';
    if (now() >= give_up_at) return { holder };
    if (!waited) options.onWait?.(holder);
    waited = true;
    await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
  }
}
