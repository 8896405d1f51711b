import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { Objects } from '@catalog/core/ports/objects';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { StoredFile } from '@catalog/core/ports/versions';

export async function readFiles(
  { store, objects }: { store: StoreReads; objects: Objects },
  tenant: Tenant,
  files: readonly StoredFile[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const inline = files.filter(({ size }) => size <= INLINE_CUTOFF_BYTES);
  const large = files.filter(({ size }) => size > INLINE_CUTOFF_BYTES);
  if (large.length === 0) return readInlineFiles(store, tenant, inline);
  const found = new Map(await readInlineFiles(store, tenant, inline));
  for (const { content_hash } of large) {
    const object = await objects.open(tenant, content_hash);
    if (object === undefined) throw missing(content_hash);
    found.set(content_hash, new Uint8Array(await new Response(object.stream).arrayBuffer()));
  }
  return found;
}

export async function readInlineFiles(
  store: StoreReads,
  tenant: Tenant,
  files: readonly StoredFile[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (files.length === 0) return new Map();
  const hashes = files.map(({ content_hash }) => content_hash);
  const found = await store.versions.readBlobs(tenant, hashes);
  for (const hash of hashes) if (!found.has(hash)) throw missing(hash);
  return found;
}

function missing(content_hash: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `The stored content of ${content_hash} is missing.`,
  );
}
