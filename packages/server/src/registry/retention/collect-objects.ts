import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { inParallel } from '@catalog/core/in-parallel';
import type { ObjectRecord } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { acquireTenantLock } from '../ingest/acquire-tenant-lock.ts';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';

export interface CollectOptions {
  min_age_ms: number;
  dry_run: boolean;
  onProgress?: (examined: number) => void;
}

export interface CollectedObjects {
  examined: { objects: number; bytes: number };
  unreferenced: { objects: number; bytes: number };
}

/** Objects per page. Ingests of the tenant wait while a page is locked. */
const PAGE = 200;
const PARALLEL = 8;

/**
 * Removes unreferenced objects, which a purged layer or a failed ingest left. Each page is examined and removed under
 * the tenant lock, because an ingest stores objects before any record refers to them and may reuse old ones. The
 * minimum age protects objects that are stored without the lock, such as during a restore.
 */
export async function collectObjects(
  registry: Registry,
  tenant: Tenant,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<CollectedObjects> {
  await refuseDuringRestore(registry);
  const collected: CollectedObjects = {
    examined: { objects: 0, bytes: 0 },
    unreferenced: { objects: 0, bytes: 0 },
  };
  for (let after = ''; ;) {
    const { page, unreferenced } = options.dry_run
      ? await examine(registry, tenant, after, options, signal)
      : await collectPage(registry, tenant, after, options, signal);
    count(collected.examined, page);
    count(collected.unreferenced, unreferenced);
    options.onProgress?.(collected.examined.objects);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return collected;
    after = last.content_hash;
  }
}

interface ExaminedPage {
  page: readonly ObjectRecord[];
  unreferenced: readonly ObjectRecord[];
}

async function collectPage(
  registry: Registry,
  tenant: Tenant,
  after: string,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<ExaminedPage> {
  const tenantLock = await acquireTenantLock(registry, tenant, signal);
  try {
    const lockedSignal = AbortSignal.any([signal, tenantLock.lost]);
    const examined = await examine(registry, tenant, after, options, lockedSignal);
    await removeAll(registry, tenant, examined.unreferenced, lockedSignal);
    return examined;
  } finally {
    await tenantLock.release();
  }
}

async function examine(
  registry: Registry,
  tenant: Tenant,
  after: string,
  { min_age_ms }: CollectOptions,
  signal: AbortSignal,
): Promise<ExaminedPage> {
  const page = await registry.objects.list(tenant, { after, limit: PAGE }, signal);
  const newest = registry.now().getTime() - min_age_ms;
  const old = page.filter(({ stored_at }) => stored_at.getTime() < newest);
  if (old.length === 0) return { page, unreferenced: [] };
  // Reads in a transaction, because a standby may lack recent references.
  const hashes = await registry.store.transaction(({ versions }) =>
    versions.listUnreferenced(
      tenant,
      old.map(({ content_hash }) => content_hash),
    ),
  );
  const unreferencedHashes = new Set(hashes);
  return {
    page,
    unreferenced: old.filter(({ content_hash }) => unreferencedHashes.has(content_hash)),
  };
}

/** Removes objects after an audit record. When this returns or throws, no removal is pending. */
async function removeAll(
  registry: Registry,
  tenant: Tenant,
  unreferenced: readonly ObjectRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (unreferenced.length === 0) return;
  const auditContext = systemAuditContext(registry, 'gc');
  await registry.store.transaction((writes) =>
    writes.audit.append(tenant, [
      buildAuditRecord(auditContext, 'objects.collected', {
        objects: unreferenced.map(({ content_hash }) => content_hash),
      }),
    ]),
  );
  await inParallel(unreferenced, { parallel: PARALLEL, signal }, ({ content_hash }, either) =>
    registry.objects.remove(tenant, content_hash, either),
  );
}

/** Throws during a restore, which copies objects before their records. */
async function refuseDuringRestore({ store }: Registry): Promise<void> {
  if ((await store.archive.getPendingRestore()) === undefined) return;
  throw new CatalogError(
    'registry.invalid_argument',
    'A copy into this registry is incomplete; nothing is removed until it finishes.',
    { suggested_action: 'Finish the copy, then run this again.' },
  );
}

function count(total: { objects: number; bytes: number }, records: readonly ObjectRecord[]): void {
  total.objects += records.length;
  for (const { size } of records) total.bytes += size;
}
