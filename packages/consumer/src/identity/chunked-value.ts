import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Entries } from './entries.ts';

/** Maximum size of a keychain entry (KEY-04). */
export const MAX_ENTRY_BYTES = 2500;

/**
 * Entry of a value that is too large for one entry. Its parts are in one of two sets of numbered entries. A new value
 * is written to the unused set, then this entry is replaced, and then the old set is removed. A concurrent reader
 * therefore gets the old or the new value, and the hash detects a mixture.
 */
interface Marker {
  set: 'a' | 'b';
  count: number;
  hash: string;
}

/** The first character starts neither a token nor a JSON document. */
const MARKER = /^#chunks (a|b) (\d+) (sha256:[0-9a-f]{64})$/;
/** Maximum number of attempts to read a value that is being changed. */
const MAX_READS = 5;

export async function getValue(entries: Entries, label: string): Promise<Uint8Array | undefined> {
  for (let attempt_number = 0; attempt_number < MAX_READS; attempt_number += 1) {
    const value = await entries.get(label);
    const marker = value === undefined ? undefined : readMarker(value);
    if (value === undefined || marker === undefined) return value;
    const whole = await collect(entries, label, marker);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

export async function setValue(entries: Entries, label: string, value: Uint8Array): Promise<void> {
  if (value.length <= MAX_ENTRY_BYTES) {
    await entries.set(label, value);
    await removeSet(entries, label, 'a');
    await removeSet(entries, label, 'b');
    return;
  }
  const earlier = await entries.get(label);
  const used = earlier === undefined ? undefined : readMarker(earlier)?.set;
  const [set, other] = used === 'a' ? (['b', 'a'] as const) : (['a', 'b'] as const);
  await removeSet(entries, label, set);
  const count = Math.ceil(value.length / MAX_ENTRY_BYTES);
  for (let number = 1; number <= count; number += 1) {
    const end = number * MAX_ENTRY_BYTES;
    await entries.set(labelOf(label, set, number), value.subarray(end - MAX_ENTRY_BYTES, end));
  }
  await entries.set(label, Buffer.from(`#chunks ${set} ${count} ${bytesHash(value)}`));
  await removeSet(entries, label, other);
}

export async function removeValue(entries: Entries, label: string): Promise<void> {
  await entries.remove(label);
  await removeSet(entries, label, 'a');
  await removeSet(entries, label, 'b');
}

async function collect(
  entries: Entries,
  label: string,
  { set, count, hash }: Marker,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  for (let number = 1; number <= count; number += 1) {
    const chunk = await entries.get(labelOf(label, set, number));
    if (chunk === undefined) return undefined;
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return bytesHash(whole) === hash ? whole : undefined;
}

/** Removes a set from its last entry on, so that an interrupted removal leaves no gaps. */
async function removeSet(entries: Entries, label: string, set: 'a' | 'b'): Promise<void> {
  let count = 0;
  while ((await entries.get(labelOf(label, set, count + 1))) !== undefined) count += 1;
  for (; count > 0; count -= 1) await entries.remove(labelOf(label, set, count));
}

function labelOf(label: string, set: 'a' | 'b', number: number): string {
  return `${label}#${set}${number}`;
}

function readMarker(value: Uint8Array): Marker | undefined {
  const found = MARKER.exec(Buffer.from(value).toString());
  if (found === null) return undefined;
  const [, set, count, hash = ''] = found;
  return { set: set === 'a' ? 'a' : 'b', count: Number(count), hash };
}
