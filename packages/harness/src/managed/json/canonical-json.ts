import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Json } from '@catalog/core/json';

/** One text for one value, whatever the order its keys were written in. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** The hash under which the lock remembers a managed entry. */
export function jsonHash(value: Json): string {
  return bytesHash(canonicalJson(value));
}
