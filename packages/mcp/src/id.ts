import { randomBytes } from 'node:crypto';

/** Only this module of the package draws random numbers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Authors of the data cannot guess the mark. */
export function newMark(): string {
  return randomBytes(12).toString('hex');
}
