import type { Objects } from '@catalog/core/ports/objects';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Tenant } from '@catalog/core/ports/tenant';
import { digestOf, requireMatchingHash } from './object-hash.ts';

export function createMemoryObjects(now: () => Date): Objects {
  const tenants = new Map<Tenant, Map<string, { bytes: Uint8Array; stored_at: Date }>>();

  let owner: string | undefined;
  const last_runs = new Map<string, string>();

  function ownOf(tenant: Tenant): Map<string, { bytes: Uint8Array; stored_at: Date }> {
    let own = tenants.get(tenant);
    if (own === undefined) {
      own = new Map();
      tenants.set(tenant, own);
    }
    return own;
  }

  function get(tenant: Tenant, content_hash: string): Uint8Array | undefined {
    digestOf(content_hash);
    return ownOf(tenant).get(content_hash)?.bytes;
  }

  async function removeObject(tenant: Tenant, content_hash: string): Promise<void> {
    ownOf(tenant).delete(content_hash);
  }

  return {
    is_shared: false,
    async put(tenant, content_hash, bytes) {
      requireMatchingHash(content_hash, bytes);
      if (get(tenant, content_hash) !== undefined) return;
      ownOf(tenant).set(content_hash, { bytes: bytes.slice(), stored_at: now() });
    },
    size: async (tenant, content_hash) => get(tenant, content_hash)?.length,
    async open(tenant, content_hash) {
      const bytes = get(tenant, content_hash);
      return bytes && { size: bytes.length, stream: new Blob([bytes.slice()]).stream() };
    },
    presign: async () => undefined,
    async list(tenant, { after, limit }) {
      return [...ownOf(tenant)]
        .filter(([content_hash]) => content_hash > after)
        .sort(([a], [b]) => compareBytes(a, b))
        .slice(0, limit)
        .map(([content_hash, { bytes, stored_at }]) => ({
          content_hash,
          size: bytes.length,
          stored_at,
        }));
    },
    remove: removeObject,
    purge: removeObject,
    getOwner: async () => owner,
    async setOwner(identity, { replace }) {
      if (replace) owner = identity;
      owner ??= identity;
      return owner;
    },
    getLastRun: async (run) => last_runs.get(run),
    setLastRun: async (run, time) => void last_runs.set(run, time),
    probe: async () => {},
  };
}
