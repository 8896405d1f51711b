import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

const KEY = /^(?:sha256:)?([0-9a-f]{64})$/i;

/** A large resource a caller may see. */
export interface VisibleObject {
  content_hash: string;
  size(): Promise<number>;
  /** The size comes with the bytes: what is announced is what is sent. */
  open(): Promise<{ size: number; stream: ReadableStream<Uint8Array> }>;
}

/** Bytes of a large resource, for a caller who may see an artifact that carries it; checked every time. */
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

/** Absent and hidden alike. */
function noSuchObject(): CatalogError {
  return new CatalogError('registry.not_found', 'The object does not exist.');
}
