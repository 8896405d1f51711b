import type { Json } from '@catalog/core/json';

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string or number as a word; empty for other values. */
export function wordOf(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
