import { bytesHash } from './artifact/content-hash.ts';
import type { Json } from './json.ts';

export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

export function jsonHash(value: Json): string {
  return bytesHash(canonicalJson(value));
}
