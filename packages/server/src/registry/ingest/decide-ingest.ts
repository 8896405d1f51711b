import { decideLayer, type LayerDecision } from '@catalog/core/ingest/decide-layer';
import { devBuild, ledgerKey } from '@catalog/core/ingest/ledger-key';
import {
  readSnapshots,
  type Entry,
  type SnapshotReading,
} from '@catalog/core/ingest/read-snapshots';
import { coversVisibility } from '@catalog/core/layer/covers-visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { RemainingLimit, RemainingQuota } from '@catalog/core/ingest/remaining-quota';
import type { Registry } from '../registry.ts';
import { quotaOf } from '../access/quota-of.ts';
import { gatherStored, type StoredFacts } from './gather-stored.ts';
import { ownerOf } from './layer-owner.ts';
import { relatedLayersOf, type RelatedLayers } from './related-layers.ts';
import type { Removals } from './plan-removals.ts';

export interface DecidedIngest {
  decision: LayerDecision;
  facts: StoredFacts;
  neighbourhood: RelatedLayers;
  entries: readonly Entry[];
}

export async function decideIngest(
  registry: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  source: SourceReading,
  removals: Removals,
): Promise<DecidedIngest> {
  const room = await getRemainingQuota(registry, tenant, removals);
  const owner = await ownerOf(registry, registry.store, tenant, layer);
  const layers = await registry.store.layers.list(tenant);
  const relatedLayers = relatedLayersOf(layer, layers, owner);
  const reading = atRank(readSnapshots([source.snapshot]), relatedLayers.rankOf(layer.number));
  if (registry.settings.dev) await renameEdited(registry, tenant, layer, reading);
  const present = new Set(source.snapshot.packages.map(({ id }) => id));
  const removed = new Set(source.removed.artifacts);
  const rejected = await rejectedBefore(registry, tenant, relatedLayers, present);
  const gather = {
    entries: reading.entries,
    neighbourhood: relatedLayers,
    isGone: (id: string) => (source.complete ? !present.has(id) : removed.has(id)),
    isExtendable: await parentRule(registry, tenant, layer),
    rejected,
  };
  const facts = await gatherStored(registry, tenant, gather);

  const { lint_limits } = registry.settings;
  const known = new Set<string>(rejected.keys());
  const requestedIds = new Set<string>();
  // Only lint finds links to artifacts of other layers, so it runs again after these are loaded.
  for (;;) {
    const missed = new Set<string>();
    const decision = decideLayer({
      reading,
      complete: source.complete,
      stored: facts.stored,
      isNamed: (id) => mayNameLayer(registry, layer, layers, id),
      // Only the owner reads a personal layer, and the owner sees all its surrounding layers.
      named_parents: registry.settings.open || layer.user_defined ? 'all' : 'visible',
      ledger: facts.ledger,
      purged: facts.purged,
      served: facts.heads,
      known_ids: { has: (id) => known.has(id) || (missed.add(id), false) },
      policy: {
        public_mode: registry.settings.public_mode,
        sandbox: registry.settings.sandbox,
        checks: registry.checks,
      },
      room,
      capabilities: registry.capabilities,
      type_providers: registry.type_providers,
      ...(lint_limits === undefined ? {} : { limits: lint_limits }),
    });
    const unknown = [...missed].filter((id) => !requestedIds.has(id) && !present.has(id));
    for (const id of unknown) requestedIds.add(id);
    const heads = await registry.store.versions.listHeadsOf(tenant, relatedLayers.stack, unknown);
    const found = heads.filter((head) => head.layer !== layer.number || !gather.isGone(head.id));
    if (found.length === 0)
      return { decision, facts, neighbourhood: relatedLayers, entries: reading.entries };
    for (const { id } of found) known.add(id);
  }
}

function atRank(reading: SnapshotReading, rank: number): SnapshotReading {
  return { ...reading, entries: reading.entries.map((entry) => ({ ...entry, rank })) };
}

/** Earlier rejected artifacts: their children get a specific error, and links to them are valid. */
async function rejectedBefore(
  registry: Registry,
  tenant: Tenant,
  { stack, layer }: RelatedLayers,
  present: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly LayerNumber[]>> {
  const rejections = await registry.store.versions.listRejections(tenant, stack);
  const layers = new Map<string, LayerNumber[]>();
  for (const { artifact_id, layer: number } of rejections) {
    // The artifacts of this ingest are decided again.
    if (number === layer.number && present.has(artifact_id)) continue;
    const known = layers.get(artifact_id);
    if (known === undefined) layers.set(artifact_id, [number]);
    else known.push(number);
  }
  return layers;
}

/** In development mode, gives changed content under the same version the next build number (SPEC-51). */
async function renameEdited(
  registry: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  reading: SnapshotReading,
): Promise<void> {
  const { versions } = registry.store;
  for (const entry of reading.entries) {
    const { id, version, authored_hash } = entry.artifact;
    const builds = (await versions.listVersions(tenant, layer.number, id)).filter(
      (stored) => stored.version === version || stored.version.startsWith(`${version}+dev.`),
    );
    const current = builds.at(-1)?.version;
    if (current === undefined) continue;
    const rows = await versions.readLedger(tenant, layer.id, [{ id, version: current }]);
    const unchanged = rows.get(ledgerKey(id, current)) === authored_hash;
    entry.artifact = {
      ...entry.artifact,
      version: unchanged ? current : `${version}+dev.${devBuild(current) + 1}`,
    };
  }
}

/** Returns true if a report of one layer may name another one: all readers of the report must see it (SPEC-21). */
function mayNameLayer(
  { settings }: Registry,
  layer: LayerRecord,
  all: readonly LayerRecord[],
  id: string,
): boolean {
  const other = all.find((one) => one.id === id);
  return other === undefined || isSeenByReaders(settings, layer, other);
}

async function parentRule(
  { settings, store }: Registry,
  tenant: Tenant,
  child: LayerRecord,
): Promise<(parent: LayerRecord) => boolean> {
  const record = await store.tenants.get(tenant);
  if ((record?.extends_parents ?? settings.extends_parents) === 'any') return () => true;
  return (parent) => parent.number === child.number || isSeenByReaders(settings, child, parent);
}

/** Returns true if all readers of a layer see another layer. Its owner sees all layers around a personal layer. */
function isSeenByReaders(
  { open }: Pick<Registry['settings'], 'open'>,
  layer: LayerRecord,
  other: LayerRecord,
): boolean {
  return open || layer.user_defined || coversVisibility(other, layer);
}

/**
 * Returns the remaining quota. The caller holds the tenant lock, so usage cannot change. Removed artifacts free quota.
 * Reads the primary, because a standby may lag.
 */
async function getRemainingQuota(
  registry: Registry,
  tenant: Tenant,
  removals: Removals,
): Promise<RemainingQuota> {
  const { artifact_count_quota } = registry.settings;
  return registry.store.transaction(async ({ tenants }) => {
    const { storage_bytes } = await quotaOf(registry, tenants, tenant);
    if (storage_bytes === 0 && artifact_count_quota === 0) {
      return { storage: undefined, artifacts: undefined };
    }
    const usage = await tenants.usage(tenant, registry.now().toISOString());
    return {
      storage: remainingOf(storage_bytes, usage.storage_bytes),
      artifacts: remainingOf(
        artifact_count_quota,
        usage.artifact_count - removals.artifacts.length,
      ),
    };
  });
}

function remainingOf(limit: number, used: number): RemainingLimit | undefined {
  return limit === 0 ? undefined : { limit, left: limit - used };
}
