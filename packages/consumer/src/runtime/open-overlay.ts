import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { VersionList } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Domain } from '@catalog/core/domain/read-domain';
import type { Rejection } from '@catalog/core/ingest/types';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { statLayer, type FingerprintedEntry } from '@catalog/core/node/read-layer';
import { now } from '../clock.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';
import { readOverlay } from '../source/overlay-folder.ts';
import { decideOverlay, listParents, type DecidedOverlay } from '../source/overlay-on-served.ts';
import { sameSeen } from '../source/same-seen.ts';

export interface OverlayContent {
  artifacts: ReadonlyMap<string, Artifact>;
  domains: readonly Domain[];
}

export interface BaseRegistry {
  listVersions(id: string, signal?: AbortSignal): Promise<VersionList['versions']>;
  load(
    entries: readonly CatalogEntry[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Artifact>>;
}

export interface OverlayOptions {
  folder: () => string | undefined | Promise<string | undefined>;
  below: BaseRegistry;
  onRejected: (rejected: readonly Rejection[]) => void;
}

interface Reading {
  folder: string;
  seen: FingerprintedEntry[];
  content: OverlayContent;
  /** Time in milliseconds since the epoch until which parents count as unchanged. */
  good_until: number;
}

const PARENTS_MS = 30_000;

/** Opens the overlay, which is read again only if a file in it has changed. */
export function openOverlay({
  folder: locate,
  below,
  onRejected,
}: OverlayOptions): (signal?: AbortSignal) => Promise<OverlayContent | undefined> {
  let last: Reading | undefined;

  function isCurrent(reading: Reading, folder: string): boolean {
    if (reading.folder !== folder || now() > reading.good_until) return false;
    return sameSeen(reading.seen, statLayer(folder), (entry) => `${folder}/${entry}`);
  }

  return async (signal) => {
    const folder = await locate();
    if (folder === undefined) return undefined;
    if (last !== undefined && isCurrent(last, folder)) return last.content;
    const { snapshot, seen } = readOverlay(folder, []);
    const parents = listParents(snapshot);
    const entries = await readEntries(parents, below, signal);
    const decided = await decide(snapshot, entries, below, signal);
    onRejected(decided.rejected);
    const content = {
      artifacts: new Map(decided.artifacts.map((artifact) => [artifact.id, artifact])),
      domains: decided.domains,
    };
    const good_until = parents.length === 0 ? Number.POSITIVE_INFINITY : now() + PARENTS_MS;
    last = { folder, seen, content, good_until };
    return content;
  };
}

function decide(
  snapshot: LayerSnapshot,
  entries: readonly CatalogEntry[],
  below: BaseRegistry,
  signal: AbortSignal | undefined,
): Promise<DecidedOverlay> {
  return decideOverlay(snapshot, {
    entries,
    rejected: [],
    // Links that look like an id cannot be checked without the complete view.
    knows: { has: () => true },
    listVersions: (id) => below.listVersions(id, signal),
    load: (wanted) => below.load(wanted, signal),
  });
}

/** Returns entries of the registry, without overlay artifacts whose parent is missing. */
async function readEntries(
  parents: readonly string[],
  below: BaseRegistry,
  signal: AbortSignal | undefined,
): Promise<CatalogEntry[]> {
  const entries = await Promise.all(parents.map((id) => readEntry(id, below, signal)));
  return entries.filter((entry) => entry !== undefined);
}

async function readEntry(
  id: string,
  below: BaseRegistry,
  signal: AbortSignal | undefined,
): Promise<CatalogEntry | undefined> {
  try {
    const versions = await below.listVersions(id, signal);
    const head = versions.find(({ latest }) => latest) ?? versions[0];
    if (head === undefined) return undefined;
    const { version, layer, content_hash, deprecated } = head;
    const entry = { id, type: '', version, layer, content_hash, deprecated };
    await below.load([entry], signal);
    return entry;
  } catch (error) {
    if (error instanceof CatalogError) return undefined;
    throw error;
  }
}
