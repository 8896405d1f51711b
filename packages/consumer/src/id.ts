import { randomUUID } from 'node:crypto';

/** A name nobody else uses; the one place of this package that draws random numbers. */
export function uniqueName(): string {
  return randomUUID();
}
