import type { Json } from '../json.ts';

export function isBlank(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null;
}
