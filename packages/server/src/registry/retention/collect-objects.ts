import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { inParallel } from '@catalog/core/in-parallel';
import type { ObjectRecord } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { takeTurn } from '../ingest/take-turn.ts';
import { occasionOfRegistry } from '../occasion.ts';
import type { Registry } from '../registry.ts';

export interface CollectOptions {
  /** Objects stored later than this long ago are left alone, whatever refers to them. */
  min_age_ms: number;
  /** Say what would go; remove nothing. */
  dry_run: boolean;
  /** Told of each page. */
  onProgress?: (examined: number) => void;
}

/** What was found, and, unless it was a dry run, removed. */
export interface CollectedObjects {
  /** Every object of the tenant. */
  examined: { objects: number; bytes: number };
  /** Nothing refers to them, and they are old enough. */
  unreferenced: { objects: number; bytes: number };
}

/** Objects of one turn: ingests of the tenant wait meanwhile. */
const PAGE = 200;
/** Removals on their way at once. */
const PARALLEL = 8;

/**
 * Removes objects that nothing refers to: what a purged layer left behind, and what an ingest stored
 * that then failed. An ingest stores its objects before anything names them, and may find one that has
 * been lying there for long. So a page is looked at and removed in the tenant's turn, which an ingest
 * has from its decision to its commit: none is between the two. The age guards what is stored outside
 * of a turn, as by a restore.
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
  const turn = await takeTurn(registry, tenant, signal);
  try {
    const inTurn = AbortSignal.any([signal, turn.lost]);
    const examined = await examine(registry, tenant, after, options, inTurn);
    await removeAll(registry, tenant, examined.unreferenced, inTurn);
    return examined;
  } finally {
    await turn.release();
  }
}

/** One page of objects, and those of it that are to go. */
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
  // In a transaction: a replica may not know yet what refers to them.
  const hashes = await registry.store.transaction(({ versions }) =>
    versions.listUnreferenced(
      tenant,
      old.map(({ content_hash }) => content_hash),
    ),
  );
  const nobodys = new Set(hashes);
  return { page, unreferenced: old.filter(({ content_hash }) => nobodys.has(content_hash)) };
}

/** Records them in the audit log before the first is removed. No removal is running when this returns or throws. */
async function removeAll(
  registry: Registry,
  tenant: Tenant,
  unreferenced: readonly ObjectRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (unreferenced.length === 0) return;
  const occasion = occasionOfRegistry(registry, 'gc');
  await registry.store.transaction((writes) =>
    writes.audit.append(tenant, [
      buildAuditRecord(occasion, 'objects.collected', {
        objects: unreferenced.map(({ content_hash }) => content_hash),
      }),
    ]),
  );
  await inParallel(unreferenced, { parallel: PARALLEL, signal }, ({ content_hash }, either) =>
    registry.objects.remove(tenant, content_hash, either),
  );
}

/** A copy brings its objects before what refers to them. */
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
