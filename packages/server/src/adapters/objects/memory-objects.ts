import type { Objects } from '@catalog/core/ports/objects';
import { digestOf, refuseOtherBytes } from './object-hash.ts';

/** Objects that are gone with the process. */
export function createMemoryObjects(): Objects {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(tenant, content_hash, bytes) {
      refuseOtherBytes(content_hash, bytes);
      objects.set(`${tenant} ${digestOf(content_hash)}`, bytes.slice());
    },
    size: async (tenant, content_hash) =>
      objects.get(`${tenant} ${digestOf(content_hash)}`)?.length,
    async open(tenant, content_hash) {
      const bytes = objects.get(`${tenant} ${digestOf(content_hash)}`);
      return bytes && { size: bytes.length, stream: new Blob([bytes]).stream() };
    },
    presign: async () => undefined,
    probe: async () => {},
  };
}
