import { randomBytes } from 'node:crypto';

/** A secret nobody can guess; this file is the only one of the package that draws random numbers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The random part of a mark around data. The authors of the data cannot guess it. */
export function newMark(): string {
  return randomBytes(12).toString('hex');
}
