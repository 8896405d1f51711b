import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { PurgeResult } from '@catalog/contract/records/purge';
import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import { ledgerVersion } from '@catalog/core/ingest/ledger-key';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { PurgeRecord } from '@catalog/core/ports/purges';
import type { StoreWrites } from '@catalog/core/ports/store';
import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import { buildEvent } from '../events/build-event.ts';
import { acquireTenantLock } from '../ingest/acquire-tenant-lock.ts';
import { removeCopyOfPurged } from './remove-copy-of-purged.ts';
import type { CallContext, Registry } from '../registry.ts';
import {
  listPurgedVersions,
  type PurgedVersion,
  type PurgeTarget,
} from './list-purged-versions.ts';
import { removePendingObjects } from './remove-pending-objects.ts';
import { replaceHeads } from './replace-heads.ts';

export interface PurgeInput {
  id: string;
  version?: string | undefined;
  layer?: string | undefined;
  reason: string;
  dry_run?: boolean | undefined;
}

/** Maximum number of listed versions that share a file with the purged ones. */
const MAX_HOLDERS = 100;

/**
 * Deletes content everywhere in the registry: records first, so that no request is served from then on, then objects
 * and copies of repositories. A failure after the first step is repeated by the same call (SPEC-20).
 */
export async function purgeArtifact(
  registry: Registry,
  context: CallContext,
  { id, version = '', layer = '', reason, dry_run = false }: PurgeInput,
): Promise<PurgeResult> {
  const { tenant, signal } = context;
  const target = { id, version, layer };
  // An ingest that has decided but not committed could store the content again.
  const lock = await acquireTenantLock(registry, tenant, signal);
  try {
    const result = await deleteRecords(registry, context, target, reason, dry_run);
    if (dry_run) return result;
    const objects_removed = await removePendingObjects(registry, tenant, signal);
    await removeCopyOfPurged(registry, tenant, result);
    return { ...result, objects_removed };
  } finally {
    await lock.release();
  }
}

/** Thrown to roll back the transaction of a dry run. */
class DryRun extends Error {
  readonly result: PurgeResult;

  constructor(result: PurgeResult) {
    super('dry run');
    this.result = result;
  }
}

async function deleteRecords(
  registry: Registry,
  context: CallContext,
  target: PurgeTarget,
  reason: string,
  dry_run: boolean,
): Promise<PurgeResult> {
  try {
    return await registry.store.transaction(async (writes) => {
      const result = await purgeInStore(registry, writes, context, target, reason);
      if (dry_run) throw new DryRun({ ...result, dry_run });
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

async function purgeInStore(
  registry: Registry,
  writes: StoreWrites,
  context: CallContext,
  target: PurgeTarget,
  reason: string,
): Promise<PurgeResult> {
  const { tenant } = context;
  const auditContext = callAuditContext(registry, context);
  const layers = [
    ...(await writes.layers.list(tenant)),
    ...(await writes.layers.listDeleted(tenant)),
  ];
  const purged = await listPurgedVersions(writes, tenant, layers, target);
  if (purged.length === 0) return requirePending(writes, tenant, target);
  const { files, objects } = await readHashes(writes, tenant, purged);
  const served = await replaceHeads(writes, tenant, purged);
  for (const [number, gone] of Map.groupBy(purged, ({ layer }) => layer.number)) {
    await writes.versions.purgeVersions(tenant, number, gone);
    const ids = [...new Set(gone.map(({ id }) => id))];
    await writes.versions.removeRejections(tenant, number, ids);
  }
  const record = buildAuditRecord(auditContext, 'artifact.purged', {
    artifacts: purged.map(({ layer, id, version }) => `${layer.id}/${id}@${version}`),
    reason,
  });
  const unused = await writes.versions.listUnreferenced(tenant, objects);
  await writes.purges.put(
    tenant,
    purged.map((one, index): PurgeRecord => ({
      layer_id: one.layer.id,
      id: one.id,
      version: ledgerVersion(one.version),
      content_hash: one.content_hash,
      reason,
      purged_by: record['caller.identity'],
      purged_at: record.timestamp,
      pending_objects: index === 0 ? unused : [],
    })),
  );
  await writes.audit.append(tenant, [record]);
  await writes.outbox.append(tenant, [
    ...purged.map(({ layer, id, version, content_hash }) =>
      buildEvent(auditContext, 'artifact.purged', { id, version, layer: layer.id, content_hash }),
    ),
    ...served.map(({ layer, id, version }) =>
      version === undefined
        ? buildEvent(auditContext, 'artifact.removed', { id, layer: layer.id })
        : buildEvent(auditContext, 'artifact.restored', { id, version, layer: layer.id }),
    ),
  ]);
  return {
    dry_run: false,
    purged: purged.filter(({ parent }) => parent === undefined).map(toWire),
    children: purged.flatMap((one) =>
      one.parent === undefined ? [] : [{ ...toWire(one), parent: one.parent }],
    ),
    now_served: served.flatMap(({ layer, id, version }) =>
      version === undefined ? [] : [{ layer: layer.id, id, version }],
    ),
    shared_files: await listSharing(writes, tenant, layers, files),
    objects_removed: 0,
  };
}

function toWire({
  layer,
  id,
  version,
  content_hash,
}: PurgedVersion): PurgeResult['purged'][number] {
  return { layer: layer.id, id, version, content_hash };
}

/** Continues a purge that could not remove all objects. */
async function requirePending(
  { purges }: StoreWrites,
  tenant: CallContext['tenant'],
  { id }: PurgeTarget,
): Promise<PurgeResult> {
  const pending = await purges.listPending(tenant);
  if (pending.length === 0) {
    throw new CatalogError('registry.not_found', `No stored version of \`${id}\` matches.`, {
      details: { id },
      suggested_action: `List its versions with \`catalog show ${id} --versions\`.`,
    });
  }
  return {
    dry_run: false,
    purged: [],
    children: [],
    now_served: [],
    shared_files: [],
    objects_removed: 0,
  };
}

/** Returns the hashes of all files, and of those in the object store. */
async function readHashes(
  { versions }: StoreWrites,
  tenant: CallContext['tenant'],
  purged: readonly PurgedVersion[],
): Promise<{ files: string[]; objects: string[] }> {
  const files = new Set<string>();
  const inline = new Set<string>();
  for (const { layer, id, version } of purged) {
    const record = await versions.get(tenant, layer.number, id, version);
    if (record === undefined) continue;
    for (const hash of fetchableHashes(record)) files.add(hash);
    for (const { content_hash, size } of record.files) {
      if (size <= INLINE_CUTOFF_BYTES) inline.add(content_hash);
    }
  }
  return { files: [...files], objects: [...files].filter((hash) => !inline.has(hash)) };
}

async function listSharing(
  { versions }: StoreWrites,
  tenant: CallContext['tenant'],
  layers: readonly LayerRecord[],
  hashes: readonly string[],
): Promise<PurgeResult['shared_files']> {
  const ids = new Map(layers.map(({ number, id }) => [number, id]));
  const sharing: PurgeResult['shared_files'] = [];
  for (const content_hash of hashes) {
    const limit = MAX_HOLDERS - sharing.length;
    if (limit === 0) break;
    const holders = await versions.listHoldersOf(tenant, [...ids.keys()], content_hash, limit);
    sharing.push(
      ...holders.map(({ layer, id, version }) => ({
        layer: ids.get(layer) ?? '',
        id,
        version,
        content_hash,
      })),
    );
  }
  return sharing;
}
