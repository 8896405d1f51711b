import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectSnapshot } from '@catalog/core/layer/collect-snapshot';
import { keyOf } from '@catalog/core/layer/place-entries';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { now } from '@catalog/core/node/clock';
import { readEntry } from '@catalog/core/node/read-entry';
import { openSlab } from '@catalog/core/node/slab';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerSource, SourceReading } from '@catalog/core/ports/layer-source';
import { findRemoved, keysToRead } from '../removed-keys.ts';
import { tooMuch, unreachable } from '../unreachable.ts';
import {
  changedKeys,
  digestOf,
  lookAtFolder,
  type FolderLook,
  type LookedAt,
} from './look-at-folder.ts';
import { readState, writeState } from './source-state.ts';

export interface LocalOptions {
  limits: { bytes: number; files: number };
}

/** What a folder looked like when it was last read, and the state that was answered then. */
interface Remembered {
  source_state: string;
  look: FolderLook;
}

/** Layers whose last look is kept; of any other, a change means that everything is read. */
const MOST_REMEMBERED = 100;
/** Files after which others get their turn. */
const FILES_PER_TURN = 100;

/**
 * Layers in folders of the registry's host. A folder is looked at as a whole, and read only where it
 * changed: as far as the last look is remembered, or the digest in the layer's state still fits.
 */
export function createLocalSource({ limits }: LocalOptions): LayerSource {
  const remembered = new Map<string, Remembered>();

  return {
    read: async (tenant, layer, request, signal): Promise<SourceReading> => {
      const root = loadRoot(layer);
      const started_at = now();
      const look = await lookAtFolder(root, signal);
      refuseTooMuch(layer, look, limits);
      const place = `${tenant}/${layer.number}`;
      const keys = request.full ? undefined : keysOf(layer, look, remembered.get(place));
      for (const key of keysToRead(request.retry)) keys?.add(key);
      const reading = await readKeys({ root, layer: layer.id, look, keys, started_at }, signal);
      const source_state = writeState(digestOf(reading.look), racyKeys(reading.look));
      remembered.delete(place);
      remembered.set(place, { source_state, look: reading.look });
      forgetOldest(remembered);
      return {
        reference: '',
        source_state,
        complete: keys === undefined,
        snapshot: reading.snapshot,
        removed:
          keys === undefined ? { artifacts: [], domains: [] } : findRemoved(keys, reading.snapshot),
        rewritten: undefined,
        advisories: [],
      };
    },
  };
}

/** The keys to read; undefined where only reading everything can tell. */
function keysOf(
  { source_state }: LayerRecord,
  look: FolderLook,
  last: Remembered | undefined,
): Set<string> | undefined {
  if (source_state === null) return undefined;
  if (last?.source_state === source_state) return changedKeys(last.look, look);
  const state = readState(source_state);
  return state?.digest === digestOf(look) ? new Set(state.racy) : undefined;
}

interface ReadRequest {
  root: string;
  layer: string;
  look: FolderLook;
  keys: ReadonlySet<string> | undefined;
  started_at: number;
}

/** Reads the entries of some keys, or all; what was read is what the look is from now on. */
async function readKeys(
  { root, layer, look, keys, started_at }: ReadRequest,
  signal: AbortSignal,
): Promise<{ snapshot: LayerSnapshot; look: FolderLook }> {
  const collector = collectSnapshot(layer);
  const entries = new Map(look.entries);
  const slab = openSlab();
  let files = 0;
  for (const [path, { entry }] of look.entries) {
    if (keys !== undefined && !keys.has(keyOf(entry))) continue;
    const { fingerprint, hash, content } = readEntry(root, entry, slab, started_at);
    if (content !== undefined) collector.take(entry, content);
    entries.set(path, { entry, fingerprint, racy: hash !== undefined });
    files += 1;
    if (files % FILES_PER_TURN !== 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  for (const { path, artifact_id, reason } of look.unreadable.values()) {
    if (keys === undefined || keys.has(artifact_id ?? path)) {
      collector.refuse(path, artifact_id, reason);
    }
  }
  return { snapshot: collector.finish(), look: { entries, unreadable: look.unreadable } };
}

function racyKeys({ entries }: FolderLook): string[] {
  const racy = new Set<string>();
  for (const { entry, racy: isRacy } of entries.values()) if (isRacy) racy.add(keyOf(entry));
  return [...racy];
}

function loadRoot(layer: LayerRecord): string {
  const root = join(layer.local_path, layer.root);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return root;
  throw unreachable(
    layer,
    'its folder is not there',
    'Put the folder back, or set `local_path` and `root` to where it is now.',
  );
}

function refuseTooMuch(
  layer: LayerRecord,
  { entries }: FolderLook,
  limits: LocalOptions['limits'],
): void {
  let bytes = 0;
  for (const { fingerprint } of entries.values()) bytes += sizeOf(fingerprint);
  if (entries.size > limits.files || bytes > limits.bytes) throw tooMuch(layer);
}

function sizeOf(fingerprint: LookedAt['fingerprint']): number {
  return fingerprint?.size ?? 0;
}

function forgetOldest(remembered: Map<string, Remembered>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
