import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Entries } from './entries.ts';

/** What every keychain takes in one entry (KEY-04). */
export const LARGEST_ENTRY = 2500;

/**
 * A value that no entry takes whole lies in numbered ones, and under the bare label stands how many
 * they are. Two sets of numbers take turns: a new value is written beside the old one, the marker
 * under the bare label goes from one to the other in a single write, and only then the old one is
 * removed. Whoever reads meanwhile finds the old value or the new one, as does whoever reads after a
 * crash; the hash in the marker tells a mixture of both from either.
 */
interface Marker {
  set: 'a' | 'b';
  count: number;
  hash: string;
}

/** Begins with a character that neither a token nor a JSON document begins with. */
const MARKER = /^#chunks (a|b) (\d+) (sha256:[0-9a-f]{64})$/;
/** How often a value is looked for again that changed while it was read. */
const LOOKS = 5;

/** The value under a label, or undefined. */
export async function getValue(entries: Entries, label: string): Promise<Uint8Array | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    const value = await entries.get(label);
    const marker = value === undefined ? undefined : readMarker(value);
    if (value === undefined || marker === undefined) return value;
    const whole = await collect(entries, label, marker);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

/** Puts a value under a label, in as many entries as it takes; nothing of an earlier one stays. */
export async function setValue(entries: Entries, label: string, value: Uint8Array): Promise<void> {
  if (value.length <= LARGEST_ENTRY) {
    await entries.set(label, value);
    await removeSet(entries, label, 'a');
    await removeSet(entries, label, 'b');
    return;
  }
  const earlier = await entries.get(label);
  const used = earlier === undefined ? undefined : readMarker(earlier)?.set;
  const [set, other] = used === 'a' ? (['b', 'a'] as const) : (['a', 'b'] as const);
  // Left over from a crash, if at all.
  await removeSet(entries, label, set);
  const count = Math.ceil(value.length / LARGEST_ENTRY);
  for (let number = 1; number <= count; number += 1) {
    const end = number * LARGEST_ENTRY;
    await entries.set(labelOf(label, set, number), value.subarray(end - LARGEST_ENTRY, end));
  }
  await entries.set(label, Buffer.from(`#chunks ${set} ${count} ${bytesHash(value)}`));
  await removeSet(entries, label, other);
}

/** Removes a value and every entry of it, those that a crash left included. */
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

/** From the last to the first: whatever cuts it short, those that stay begin at one and have no gap. */
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
