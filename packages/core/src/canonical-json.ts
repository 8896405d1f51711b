import { bytesHash } from './artifact/content-hash.ts';
import type { Json } from './json.ts';

/** Encodes a value the same way for every order of its keys. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Hashes the canonical encoding of a value. */
export function jsonHash(value: Json): string {
  return bytesHash(canonicalJson(value));
}
