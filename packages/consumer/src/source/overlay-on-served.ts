import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { VersionList } from '@catalog/contract/records/artifact';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Reference } from '@catalog/core/artifact/reference';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Domain } from '@catalog/core/domain/read-domain';
import { parentReference } from '@catalog/core/extends/resolve-extends';
import {
  decideEntries,
  FOLDER,
  toRejection,
  type Accepted,
} from '@catalog/core/ingest/decide-entries';
import { lintEntries } from '@catalog/core/ingest/lint-entries';
import { readSnapshots, type Entry } from '@catalog/core/ingest/read-snapshots';
import type { StoredArtifact, StoredHolder } from '@catalog/core/ingest/stored-holder';
import type { Rejection } from '@catalog/core/ingest/types';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { compareDiagnostics, type Diagnostic } from '@catalog/core/lint/diagnostic';
import type { KnownIds } from '@catalog/core/lint/context';
import { lintDomains } from '@catalog/core/lint/lint-domains';
import { resolvePin, type PinCandidate } from '@catalog/core/version/pin';
import { harnessCapabilities } from '@catalog/harness/registry';
import type { CatalogEntry } from './catalog-source.ts';

export interface DecidedOverlay {
  artifacts: Artifact[];
  domains: Domain[];
  rejected: Rejection[];
  advisories: Diagnostic[];
}

export interface ServedBelow {
  entries: readonly CatalogEntry[];
  rejected: readonly { artifact_id: string }[];
  knows?: KnownIds;
  listVersions(id: string): Promise<VersionList['versions']>;
  /** Loads artifacts, at most one version of each id. */
  load(entries: readonly CatalogEntry[]): Promise<ReadonlyMap<string, Artifact>>;
}

/**
 * Decides which artifacts of the overlay are valid, by the rules of a folder (SPEC-48): they replace whole artifacts,
 * never collide, and may extend artifacts below.
 */
export async function decideOverlay(
  snapshot: LayerSnapshot,
  served: ServedBelow,
): Promise<DecidedOverlay> {
  const read = readSnapshots([snapshot]);
  const known_ids = new Set([
    ...served.entries.map(({ id }) => id),
    ...served.rejected.map(({ artifact_id }) => artifact_id),
    ...snapshot.packages.map(({ id }) => id),
  ]);
  const linter = lintEntries(read.entries, {
    known_ids: served.knows ?? known_ids,
    capabilities: harnessCapabilities(),
  });
  const decisions = decideEntries(read.entries, linter, {
    ...FOLDER,
    stored: await readParents(read.entries, served),
  });
  const accepted = decisions.filter(
    (decision): decision is Accepted => decision.kind === 'accepted',
  );
  const rejected = decisions.filter((decision) => decision.kind === 'rejected').map(toRejection);
  return {
    artifacts: accepted.map(({ artifact }) => artifact),
    domains: read.domains,
    rejected: [...read.rejected, ...rejected].sort((a, b) =>
      compareBytes(a.artifact_id, b.artifact_id),
    ),
    advisories: [
      ...accepted.flatMap(({ findings }) => findings),
      ...lintDomains(read.domains, { known_ids }),
    ].sort(compareDiagnostics),
  };
}

export function listParents(snapshot: LayerSnapshot): string[] {
  const { entries } = readSnapshots([snapshot]);
  return [...new Set(entries.flatMap(getReference).map(({ id }) => id))];
}

export function listExtending(snapshot: LayerSnapshot): Set<string> {
  const { entries } = readSnapshots([snapshot]);
  const extending = entries.filter((entry) => entry.artifact.fields.extends !== undefined);
  return new Set(extending.map(({ artifact }) => artifact.id));
}

async function readParents(
  overlay: readonly Entry[],
  served: ServedBelow,
): Promise<Map<string, StoredHolder[]>> {
  const parents = new Map<string, StoredHolder[]>();
  const references = Map.groupBy(overlay.flatMap(getReference), ({ id }) => id);
  const entries = new Map(served.entries.map((entry) => [entry.id, entry]));
  const rejected = new Set(served.rejected.map(({ artifact_id }) => artifact_id));
  for (const [id, named] of references) {
    const entry = entries.get(id);
    if (entry !== undefined) parents.set(id, await readHolders(entry, named, served));
    else if (rejected.has(id)) parents.set(id, [holder('', 0, [], new Map())]);
  }
  return parents;
}

/** Returns the reference in `extends`. A malformed one is rejected later. */
function getReference({ artifact }: Entry): Reference[] {
  try {
    const reference = parentReference(artifact);
    return reference === undefined ? [] : [reference];
  } catch (error) {
    if (error instanceof CatalogError) return [];
    throw error;
  }
}

/** Returns the versions of an id per layer, the layer of the view first. */
async function readHolders(
  entry: CatalogEntry,
  references: readonly Reference[],
  served: ServedBelow,
): Promise<StoredHolder[]> {
  const versions = await served.listVersions(entry.id);
  const layers = Map.groupBy(versions, ({ layer }) => layer);
  const names = [entry.layer, ...layers.keys()];
  const holders: StoredHolder[] = [];
  for (const [depth, layer] of [...new Set(names)].entries()) {
    const kept = layers.get(layer) ?? [];
    const candidates = kept.map(toCandidate);
    const meant = new Set(references.map(({ pin }) => resolvePin(pin, candidates)?.version));
    const artifacts = new Map<string, StoredArtifact>();
    for (const { version, content_hash, deprecated } of kept) {
      if (!meant.has(version)) continue;
      const wanted = { ...entry, layer, version, content_hash, deprecated };
      // The registry has already merged the artifact, so it has no parents here.
      const loaded = await served.load([wanted]);
      for (const artifact of loaded.values()) {
        artifacts.set(version, { artifact, ancestors: [], is_refused: false });
      }
    }
    holders.push(holder(layer, depth, candidates, artifacts));
  }
  return holders.reverse();
}

/** Converts a version of a list that starts with the newest one. */
function toCandidate(
  {
    version,
    content_hash,
    deprecated,
    rolled_back = false,
    latest,
  }: VersionList['versions'][number],
  place: number,
): PinCandidate {
  const ingest_order = latest ? Infinity : -place;
  return { version, content_hash, deprecated, rolled_back, ingest_order };
}

function holder(
  layer: string,
  depth: number,
  candidates: readonly PinCandidate[],
  artifacts: StoredHolder['artifacts'],
): StoredHolder {
  const rank = -1 - depth;
  const live = candidates.length > 0;
  return {
    kind: 'stored',
    layer,
    rank,
    live,
    overlays: false,
    extendable: true,
    candidates,
    artifacts,
  };
}
