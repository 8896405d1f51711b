import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectSnapshot, type SnapshotCollector } from '@catalog/core/layer/collect-snapshot';
import { keyOf, type LayerEntry } from '@catalog/core/layer/place-entries';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { now } from '@catalog/core/node/clock';
import { readEntry } from '@catalog/core/node/read-entry';
import { openSlab } from '@catalog/core/node/slab';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerSource, ReachedLayer, SourceReading } from '@catalog/core/ports/layer-source';
import { findRemoved, keysToRead } from '../removed-keys.ts';
import { tooMuch, unreachable } from '../unreachable.ts';
import {
  changedKeys,
  digestOf,
  fingerprintFolder,
  walkFolder,
  type FolderFingerprint,
  type FingerprintedEntry,
} from './fingerprint-folder.ts';
import { readState, writeState } from './source-state.ts';

export interface LocalOptions {
  limits: { bytes: number; files: number };
}

interface CachedFingerprint {
  source_state: string;
  look: FolderFingerprint;
}

/** Maximum number of cached fingerprints. A layer without one is read in full after a change. */
const MAX_FINGERPRINTS = 100;
const FILES_PER_STEP = 100;

/**
 * Reads layers from local folders. Reads only what changed, if the last fingerprint is cached or its digest matches the
 * stored state.
 */
export function createLocalSource({ limits }: LocalOptions): LayerSource {
  const remembered = new Map<string, CachedFingerprint>();

  return {
    read: async (tenant, layer, request, signal): Promise<SourceReading> => {
      const place = `${tenant}/${layer.number}`;
      const folder: Folder = { layer, root: loadRoot(layer), limits, started_at: now() };
      const isFresh = request.full || layer.source_state === null;
      const reading = isFresh
        ? await readWhole(folder, signal)
        : await readChanges(folder, remembered.get(place), request.retry, signal);
      const source_state = writeState(digestOf(reading.look), racyKeys(reading.look));
      remembered.delete(place);
      remembered.set(place, { source_state, look: reading.look });
      evictOldest(remembered);
      const { keys, snapshot } = reading;
      return {
        reference: '',
        source_state,
        complete: keys === undefined,
        snapshot,
        removed: keys === undefined ? { artifacts: [], domains: [] } : findRemoved(keys, snapshot),
        rewritten: undefined,
        advisories: [],
        copy_bytes: 0,
      };
    },
    probe: async (_tenant, layer) => {
      loadRoot(layer);
      return '';
    },
  };
}

interface Folder {
  layer: LayerRecord;
  root: string;
  limits: LocalOptions['limits'];
  started_at: number;
}

interface FolderReading {
  snapshot: LayerSnapshot;
  look: FolderFingerprint;
  /** Keys to read; undefined for all. */
  keys: ReadonlySet<string> | undefined;
}

async function readWhole(folder: Folder, signal: AbortSignal): Promise<FolderReading> {
  const reader = openReader(folder);
  const look = await walkFolder(folder.root, reader.read, signal);
  for (const { path, artifact_id, reason } of look.unreadable.values()) {
    reader.collector.refuse(path, artifact_id, reason);
  }
  return { snapshot: reader.collector.finish(), look, keys: undefined };
}

async function readChanges(
  folder: Folder,
  last: CachedFingerprint | undefined,
  retry: readonly string[],
  signal: AbortSignal,
): Promise<FolderReading> {
  const look = await fingerprintFolder(folder.root, signal);
  refuseTooMuch(folder, look);
  const keys = changesSince(folder.layer, look, last);
  if (keys === undefined) return readWhole(folder, signal);
  for (const key of keysToRead(retry)) keys.add(key);
  const reader = openReader(folder);
  const entries = new Map(look.entries);
  let files = 0;
  for (const [path, { entry }] of look.entries) {
    if (!keys.has(keyOf(entry))) continue;
    entries.set(path, reader.read(entry));
    files += 1;
    if (files % FILES_PER_STEP !== 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  for (const { path, artifact_id, reason } of look.unreadable.values()) {
    if (keys.has(artifact_id ?? path)) reader.collector.refuse(path, artifact_id, reason);
  }
  const { unreadable } = look;
  return { snapshot: reader.collector.finish(), look: { entries, unreadable }, keys };
}

function refuseTooMuch({ layer, limits }: Folder, { entries }: FolderFingerprint): void {
  let bytes = 0;
  for (const { fingerprint } of entries.values()) bytes += fingerprint?.size ?? 0;
  if (entries.size > limits.files || bytes > limits.bytes) throw tooMuch(layer);
}

function changesSince(
  { source_state }: LayerRecord,
  look: FolderFingerprint,
  last: CachedFingerprint | undefined,
): Set<string> | undefined {
  if (source_state === null) return undefined;
  if (last?.source_state === source_state) return changedKeys(last.look, look);
  const state = readState(source_state);
  return state?.digest === digestOf(look) ? new Set(state.racy) : undefined;
}

interface Reader {
  collector: SnapshotCollector;
  read: (entry: LayerEntry) => FingerprintedEntry;
}

function openReader({ layer, root, limits, started_at }: Folder): Reader {
  const collector = collectSnapshot(layer.id);
  const slab = openSlab();
  let files = 0;
  let bytes = 0;
  return {
    collector,
    read: (entry) => {
      const { fingerprint, hash, content } = readEntry(root, entry, slab, started_at);
      if (content !== undefined) collector.take(entry, content);
      files += 1;
      bytes += fingerprint?.size ?? 0;
      if (files > limits.files || bytes > limits.bytes) throw tooMuch(layer);
      return { entry, fingerprint, racy: hash !== undefined };
    },
  };
}

function racyKeys({ entries }: FolderFingerprint): string[] {
  const racy = new Set<string>();
  for (const { entry, racy: isRacy } of entries.values()) if (isRacy) racy.add(keyOf(entry));
  return [...racy];
}

function loadRoot(layer: ReachedLayer): string {
  const root = join(layer.local_path, layer.root);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return root;
  throw unreachable(
    layer,
    'its directory does not exist',
    'Restore the directory, or update `local_path` and `root`.',
  );
}

function evictOldest(remembered: Map<string, CachedFingerprint>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_FINGERPRINTS && oldest !== undefined) remembered.delete(oldest);
}
