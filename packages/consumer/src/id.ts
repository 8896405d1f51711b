import { randomBytes, randomUUID } from 'node:crypto';

/** Returns a unique name. No other code in this package generates random numbers. */
export function uniqueName(): string {
  return randomUUID();
}

export function randomKey(): Buffer {
  return randomBytes(32);
}
