import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import { readParent } from '@catalog/core/ingest/entry-graph';
import { ledgerKey, ledgerVersion } from '@catalog/core/ingest/ledger-key';
import type { Entry } from '@catalog/core/ingest/read-snapshots';
import type { StoredArtifact, StoredHolder } from '@catalog/core/ingest/stored-holder';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { HeadRecord, VersionSummary } from '@catalog/core/ports/versions';
import { isSpecific, matchesPin, resolvePin, type Pin } from '@catalog/core/version/pin';
import { applyStandings, decideRollback, isRollback } from '@catalog/core/version/rollback';
import type { Registry } from '../registry.ts';
import { loadStoredArtifact } from './load-stored-artifact.ts';
import type { RelatedLayers } from './related-layers.ts';

export interface StoredFacts {
  stored: Map<string, StoredHolder[]>;
  ledger: Map<string, string>;
  /** Purged versions, by `ledgerKey`. */
  purged: ReadonlySet<string>;
  /** Stored versions by id, after rollbacks. */
  versions: Map<string, readonly VersionSummary[]>;
  /** Earlier versions that the source contains again, by id (SPEC-70). */
  rollbacks: Map<string, string>;
  heads: Map<string, HeadRecord>;
}

export interface GatherInput {
  entries: readonly Entry[];
  neighbourhood: RelatedLayers;
  isGone(id: string): boolean;
  isExtendable(layer: LayerRecord): boolean;
  /** Layers that rejected an artifact earlier, by id. */
  rejected: ReadonlyMap<string, readonly LayerNumber[]>;
}

/** Gathers the stored data that an ingest needs. The amount does not grow with the catalog. */
export async function gatherStored(
  registry: Registry,
  tenant: Tenant,
  input: GatherInput,
): Promise<StoredFacts> {
  const { neighbourhood, entries } = input;
  const ledger = await readLedger(registry, tenant, input);
  const purged = await readPurged(registry, tenant, input);
  const pins = pinsByParent(entries);
  const own = new Map(entries.map(({ artifact }) => [artifact.id, artifact]));
  const ids = [...new Set([...own.keys(), ...pins.keys()])];
  const held = await registry.store.versions.listHeadsOf(tenant, neighbourhood.stack, ids);
  const heads = Map.groupBy(held, ({ id }) => id);
  const facts: StoredFacts = {
    stored: new Map(),
    ledger,
    purged,
    versions: new Map(),
    rollbacks: new Map(),
    heads: new Map(),
  };
  const withHistory = new Set(
    entries.flatMap(({ artifact: { id, version, fields } }) =>
      // A deprecated version is served only if the id has no other version, including withdrawn ones.
      fields.deprecated === true || ledger.has(ledgerKey(id, version)) ? [id] : [],
    ),
  );
  for (const id of ids) {
    const idPins = pins.get(id) ?? [];
    const idHeads = heads.get(id) ?? [];
    if (idPins.length === 0 && idHeads.length === 0 && !withHistory.has(id)) continue;
    const requestedId = { id, pins: idPins, heads: idHeads, own: own.get(id) };
    const holders = await holdersOf(registry, tenant, requestedId, input, facts);
    if (holders.length > 0) facts.stored.set(id, holders);
  }
  for (const head of held) {
    if (head.layer === neighbourhood.layer.number) facts.heads.set(head.id, head);
  }
  return facts;
}

async function readLedger(
  registry: Registry,
  tenant: Tenant,
  { entries, neighbourhood }: GatherInput,
): Promise<Map<string, string>> {
  const keys = entries.map(({ artifact: { id, version } }) => ({
    id,
    version: ledgerVersion(version),
  }));
  const rows = await registry.store.versions.readLedger(tenant, neighbourhood.layer.id, keys);
  return new Map(rows);
}

async function readPurged(
  { store }: Registry,
  tenant: Tenant,
  { entries, neighbourhood }: GatherInput,
): Promise<Set<string>> {
  const ids = [...new Set(entries.map(({ artifact }) => artifact.id))];
  const records = await store.purges.list(tenant, neighbourhood.layer.id, ids);
  return new Set(records.map(({ id, version }) => ledgerKey(id, version)));
}

function pinsByParent(entries: readonly Entry[]): Map<string, Pin[]> {
  const wanted = new Map<string, Pin[]>();
  for (const { artifact } of entries) {
    const parent = readParent(artifact);
    if (parent === undefined || parent instanceof CatalogError) continue;
    const pins = wanted.get(parent.id);
    if (pins === undefined) wanted.set(parent.id, [parent.pin]);
    else pins.push(parent.pin);
  }
  return wanted;
}

interface RequestedId {
  id: string;
  pins: readonly Pin[];
  heads: readonly HeadRecord[];
  own: Artifact | undefined;
}

/** Returns all layers that have, had or rejected an id, with the versions that a pin can match. */
async function holdersOf(
  registry: Registry,
  tenant: Tenant,
  { id, pins, heads, own }: RequestedId,
  input: GatherInput,
  facts: StoredFacts,
): Promise<StoredHolder[]> {
  const { neighbourhood, rejected } = input;
  const specific = pins.filter(isSpecific);
  const holders: StoredHolder[] = [];
  for (const layer of neighbourhood.layers) {
    const isThis = layer.number === neighbourhood.layer.number;
    const head = heads.find((candidate) => candidate.layer === layer.number);
    const live = isThis
      ? own !== undefined || (head !== undefined && !input.isGone(id))
      : head !== undefined;
    const isRejected = pins.length > 0 && rejected.get(id)?.includes(layer.number) === true;
    if (!live && !isRejected && specific.length === 0) continue;
    const stored = await registry.store.versions.listVersions(tenant, layer.number, id);
    const all = isThis ? rollBack(stored, own, facts) : stored;
    if (isThis) facts.versions.set(id, all);
    // A withdrawn version can be extended only by its exact version.
    const candidates = live
      ? all
      : all.filter((version) => specific.some((pin) => matchesPin(pin, version)));
    if (candidates.length === 0 && !isRejected) continue;
    holders.push({
      kind: 'stored',
      layer: layer.id,
      rank: neighbourhood.rankOf(layer.number),
      live,
      overlays: head !== undefined && !isThis && (await overlaysItself(registry, tenant, head)),
      extendable: input.isExtendable(layer),
      candidates,
      artifacts: await loadMatching(registry, tenant, layer, id, pins, candidates),
    });
  }
  return holders;
}

/** Applies rollbacks, so that children extend the version that the source contains again. */
function rollBack(
  versions: readonly VersionSummary[],
  own: Artifact | undefined,
  { ledger, rollbacks }: StoredFacts,
): readonly VersionSummary[] {
  if (own === undefined || !isRollback(versions, own.version)) return versions;
  const { id, version, authored_hash } = own;
  if (ledger.get(ledgerKey(id, version)) !== authored_hash) return versions;
  rollbacks.set(id, version);
  return applyStandings(versions, decideRollback(versions, id, version, Infinity));
}

async function overlaysItself(
  registry: Registry,
  tenant: Tenant,
  { layer, id, version }: HeadRecord,
): Promise<boolean> {
  const record = await registry.store.versions.get(tenant, layer, id, version);
  return record?.extends?.id === id;
}

async function loadMatching(
  registry: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  id: string,
  pins: readonly Pin[],
  candidates: readonly VersionSummary[],
): Promise<Map<string, StoredArtifact>> {
  const loaded = new Map<string, StoredArtifact>();
  for (const pin of pins) {
    const matchingVersions = resolvePin(pin, candidates);
    if (matchingVersions === undefined || loaded.has(matchingVersions.version)) continue;
    const record = await registry.store.versions.get(
      tenant,
      layer.number,
      id,
      matchingVersions.version,
    );
    if (record === undefined) continue;
    loaded.set(
      matchingVersions.version,
      await loadStoredArtifact(registry, tenant, record, layer.id),
    );
  }
  return loaded;
}
