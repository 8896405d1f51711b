import { randomBytes } from 'node:crypto';

/** A secret nobody can guess; the one place of this package that draws random numbers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
