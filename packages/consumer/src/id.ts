import { randomBytes, randomUUID } from 'node:crypto';

/** Returns a name nobody else uses. This file is the only one of this package that draws random numbers. */
export function uniqueName(): string {
  return randomUUID();
}

/** Returns a new secret key of 256 bits. */
export function randomKey(): Buffer {
  return randomBytes(32);
}
