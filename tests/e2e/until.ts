import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const LONGEST_MS = 15_000;

export async function until<T>(what: string, look: () => T | undefined | false): Promise<T> {
  for (let waited = 0; waited < LONGEST_MS; waited += LOOK_EVERY_MS) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`waited ${LONGEST_MS / 1000} s in vain: ${what}`);
}
