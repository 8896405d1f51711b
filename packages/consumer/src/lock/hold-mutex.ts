import { setTimeout as delay } from 'node:timers/promises';
import { tryFileMutex, type FileMutex } from '@catalog/core/node/file-mutex';
import { now } from '../clock.ts';

export interface HoldOptions {
  /** How long to wait for the holder of now to finish. */
  wait_ms: number;
  /** Called once, when waiting begins. */
  onWait?: (holder: string) => void;
}

/** Held by somebody else for the whole time. */
export interface Held {
  holder: string;
}

const RETRY_MS = 25;

/** A clone can contain the file that names the holder, and the name is part of messages. */
const HOLDER = /^process \d{1,10}$/;

/** Waits for a mutex between processes. */
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
