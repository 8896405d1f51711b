import type { Json } from '../json.ts';

/** A value that is not there, or says nothing. */
export function isBlank(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null;
}
