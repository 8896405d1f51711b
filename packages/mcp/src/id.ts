import { randomBytes } from 'node:crypto';

/** Returns a random secret. No other code in this package generates random numbers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns a mark that authors of the content cannot guess. */
export function newMark(): string {
  return randomBytes(12).toString('hex');
}
