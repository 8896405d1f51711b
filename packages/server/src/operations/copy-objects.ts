import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { inParallel } from '@catalog/core/in-parallel';
import { listObjects, type ObjectReference } from '@catalog/core/ingest/list-objects';
import type { Objects } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import { inGroups } from './in-groups.ts';

/** On their way at once: an object store far away answers late, but answers many. */
const AT_ONCE = { items: 8, bytes: 64 * 1024 * 1024 };

/** What of a version names its objects. */
type NamingVersion = Pick<ArchiveRows['versions'], 'tenant' | 'files' | 'manifest' | 'skill'>;

/** Copies the objects that versions name, each once. */
export interface ObjectCopy {
  /** Durable at their new place when this returns. None is on its way any more when it throws. */
  copy(versions: readonly NamingVersion[], signal: AbortSignal): Promise<void>;
  /** How many there are so far, and how large they are together. */
  total(): { objects: number; bytes: number };
}

/** Brings an object over from an earlier copy; returns whether it did. */
export type ReuseObject = (tenant: Tenant, content_hash: string) => Promise<boolean>;

export function openObjectCopy(
  from: Pick<Objects, 'open'>,
  to: Objects,
  reuse: ReuseObject = async () => false,
): ObjectCopy {
  const seen = new Set<string>();
  let bytes = 0;

  async function copyOne(
    tenant: Tenant,
    { content_hash, size }: ObjectReference,
    signal: AbortSignal,
  ): Promise<void> {
    // What an interrupted run has brought over is not brought again.
    if ((await to.size(tenant, content_hash, signal)) === size) return;
    if (await reuse(tenant, content_hash)) return;
    const object = await from.open(tenant, content_hash, signal);
    if (object === undefined) throw missing(content_hash);
    await to.put(tenant, content_hash, await new Response(object.stream).bytes(), signal);
  }

  return {
    async copy(versions, signal) {
      const fresh: (ObjectReference & { tenant: Tenant })[] = [];
      for (const version of versions) {
        const { tenant } = version;
        for (const object of listObjects(version)) {
          const key = `${tenant} ${object.content_hash}`;
          if (seen.has(key)) continue;
          seen.add(key);
          bytes += object.size;
          fresh.push({ tenant, ...object });
        }
      }
      for (const some of inGroups(fresh, ({ size }) => size, AT_ONCE)) {
        await inParallel(some, { parallel: some.length, signal }, (object, either) =>
          copyOne(object.tenant, object, either),
        );
      }
    },
    total: () => ({ objects: seen.size, bytes }),
  };
}

function missing(content_hash: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `A version refers to the object ${content_hash}, which is missing from the object store.`,
    {
      suggested_action:
        'Run it again, because a layer may have been removed in the meantime. If the error persists, `catalog admin verify` shows which version needs the object.',
    },
  );
}
