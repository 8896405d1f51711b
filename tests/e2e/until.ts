import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;
const TIMEOUT_MS = 15_000;

export async function until<T>(what: string, check: () => T | undefined | false): Promise<T> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    const found = check();
    if (found !== undefined && found !== false) return found;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(`waited ${TIMEOUT_MS / 1000} s in vain: ${what}`);
}
