import { setTimeout as delay } from 'node:timers/promises';
import { tryFileMutex, type FileMutex } from '@catalog/core/node/file-mutex';
import { now } from '../clock.ts';

export interface HoldOptions {
  wait_ms: number;
  /** Called once, when waiting starts. */
  onWait?: (holder: string) => void;
}

/** Another process held the mutex for the whole wait. */
export interface Held {
  holder: string;
}

const RETRY_MS = 25;

/** A clone can contain the holder file, and messages include the name. */
const HOLDER = /^process \d{1,10}$/;

export async function holdMutex(
  files: { mutex: string; holder: string },
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<FileMutex | Held> {
  const give_up_at = now() + options.wait_ms;
  let waited = false;
  for (;;) {
    const taken = await tryFileMutex(files);
    if (!('holder' in taken)) return taken;
    const holder = HOLDER.test(taken.holder) ? taken.holder : 'another process';
    if (now() >= give_up_at) return { holder };
    if (!waited) options.onWait?.(holder);
    waited = true;
    await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
  }
}
