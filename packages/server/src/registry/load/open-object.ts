import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

const KEY = /^(?:sha256:)?([0-9a-f]{64})$/i;

export interface VisibleObject {
  content_hash: string;
  size(): Promise<number>;
  /** Opens the object. The size comes from the same read, so that Content-Length matches the body. */
  open(): Promise<{ size: number; stream: ReadableStream<Uint8Array> }>;
}

/** Opens an object. Every request checks that the caller sees an artifact with it. */
export async function openObject(
  registry: Registry,
  context: CallContext,
  key: string,
): Promise<VisibleObject> {
  const hex = KEY.exec(key)?.[1]?.toLowerCase();
  if (hex === undefined) throw noSuchObject();
  const content_hash = `sha256:${hex}`;
  const { tenant, signal } = context;
  const view = await resolveView(registry, context);
  const holders = await view.reads.versions.listHoldersOf(tenant, view.stack, content_hash, 1);
  if (holders.length === 0) throw noSuchObject();
  return {
    content_hash,
    size: async () => {
      const size = await registry.objects.size(tenant, content_hash, signal);
      if (size === undefined) throw noSuchObject();
      return size;
    },
    open: async () => {
      const object = await registry.objects.open(tenant, content_hash, signal);
      if (object === undefined) throw noSuchObject();
      return object;
    },
  };
}

function noSuchObject(): CatalogError {
  return new CatalogError('registry.not_found', 'The object does not exist.');
}
