import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { DamagedObject } from '@catalog/core/artifact/damaged-object';
import { inParallel } from '@catalog/core/in-parallel';
import { listObjects, type ObjectReference } from '@catalog/core/ingest/list-objects';
import type { Objects } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import { inGroups } from './in-groups.ts';

/** Limits of concurrent copies: a remote object store has a high latency but handles many requests. */
const AT_ONCE = { items: 8, bytes: 64 * 1024 * 1024 };

type NamingVersion = Pick<
  ArchiveRows['versions'],
  'tenant' | 'id' | 'version' | 'files' | 'manifest' | 'skill'
>;

interface NamedObject extends ObjectReference {
  tenant: Tenant;
  file: string;
}

export interface ObjectCopy {
  /** Copies the objects of versions. Resolves when they are durable; after a rejection, no copy is pending. */
  copy(versions: readonly NamingVersion[], signal: AbortSignal): Promise<void>;
  total(): { objects: number; bytes: number };
}

/** Reuses an object of an earlier copy. Returns true if there is one. */
export type ReuseObject = (tenant: Tenant, content_hash: string) => Promise<boolean>;

export function openObjectCopy(
  from: Pick<Objects, 'open'>,
  to: Objects,
  reuse: ReuseObject = async () => false,
): ObjectCopy {
  const seen = new Set<string>();
  let bytes = 0;

  async function copyOne(
    { tenant, content_hash, size, file }: NamedObject,
    signal: AbortSignal,
  ): Promise<void> {
    if ((await to.size(tenant, content_hash, signal)) === size) return;
    if (await reuse(tenant, content_hash)) return;
    const object = await from.open(tenant, content_hash, signal);
    if (object === undefined) throw missing(content_hash, file);
    await to.put(tenant, content_hash, await readWhole(object.stream, file), signal);
  }

  return {
    async copy(versions, signal) {
      const fresh: NamedObject[] = [];
      for (const version of versions) {
        const { tenant } = version;
        for (const object of listObjects(version)) {
          const key = `${tenant} ${object.content_hash}`;
          if (seen.has(key)) continue;
          seen.add(key);
          bytes += object.size;
          fresh.push({ tenant, ...object, file: nameFile(version, object) });
        }
      }
      for (const some of inGroups(fresh, ({ size }) => size, AT_ONCE)) {
        await inParallel(some, { parallel: some.length, signal }, (object, either) =>
          copyOne(object, either),
        );
      }
    },
    total: () => ({ objects: seen.size, bytes }),
  };
}

/** Reads an object. The error of a corrupt object contains the file of the artifact and the location of the object. */
async function readWhole(stream: ReadableStream<Uint8Array>, file: string): Promise<Uint8Array> {
  try {
    return await new Response(stream).bytes();
  } catch (cause) {
    if (!(cause instanceof DamagedObject)) throw cause;
    throw new CatalogError(
      'registry.unavailable',
      `The object for ${file} is corrupt: the content of ${cause.location} does not match its name.`,
      {
        suggested_action:
          'Replace it with the file of the same name from an earlier backup, or remove it and ingest its layer again. Then repeat the command. `catalog admin verify` lists all corrupt objects of a registry.',
        cause,
      },
    );
  }
}

function nameFile(
  { id, version, files, skill }: NamingVersion,
  { content_hash }: ObjectReference,
): string {
  const bundled = files.find((file) => file.content_hash === content_hash)?.path;
  const isSkill = skill !== null && bytesHash(skill) === content_hash;
  return `${bundled ?? (isSkill ? 'SKILL.md' : 'ARTIFACT.md')} of ${id}@${version}`;
}

function missing(content_hash: string, file: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `The object ${content_hash} for ${file} is missing from the object store.`,
    {
      suggested_action:
        'Run it again, because a layer may have been removed in the meantime. If the error persists, `catalog admin verify` lists the missing objects.',
    },
  );
}
