import type { Json } from '@catalog/core/json';

/** The elements of a list; none where it is no list. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A value as it is written in a line; nothing where it is more than one. */
export function wordOf(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
