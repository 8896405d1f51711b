import { isReplaced } from '@catalog/core/layer/layer-holder';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { UnsignedVersion, VersionKey } from '@catalog/core/ports/signatures';
import type { Signer } from '@catalog/core/ports/signer';
import type { Tenant } from '@catalog/core/ports/tenant';
import { activeKeys, type KeySet } from '@catalog/core/signing/key-set';
import type { Registry } from '../registry.ts';
import { addKeys, publishKeys } from './publish-keys.ts';
import { loadPublishedKeys } from './published-keys.ts';
import { signVersions } from './sign-versions.ts';

/** Versions per transaction, which blocks other writes of the tenant. */
const STEP = 500;

const START: VersionKey = { layer: 0, id: '', version: '' };

/** Result of signing the versions that were stored before. */
export interface SignedStore {
  signed: number;
  /** Set if this run announced signing. */
  announced: KeySet | undefined;
}

/**
 * Signs all stored versions without a signature by a key in use, then announces signing (SPEC-94): from
 * then on, clients reject unsigned versions. A change of a layer's signatures raises its revision.
 */
export async function signStored(
  registry: Registry,
  signer: Signer,
  onProgress: (signed: number) => void,
  signal: AbortSignal,
): Promise<SignedStore> {
  let signed = 0;
  for (const { tenant } of await registry.store.tenants.list()) {
    const layers = await listLayerIds(registry, tenant);
    for (let after = START; ;) {
      signal.throwIfAborted();
      const key_ids = await listValidKeys(registry, signer);
      const page = await registry.store.signatures.listUnsigned(tenant, {
        key_ids,
        after,
        limit: STEP,
      });
      const last = page.at(-1);
      if (last === undefined) break;
      after = last;
      signed += await signPage(registry, signer, tenant, { layers, page });
      onProgress(signed);
    }
  }
  return { signed, announced: await announce(registry, signer) };
}

/** Returns the keys whose signatures stay; all others are replaced. */
async function listValidKeys({ store }: Registry, { keys }: Signer): Promise<string[]> {
  const set = await loadPublishedKeys(store);
  return set?.signing === 'active' ? [...activeKeys(set)] : keys.map(({ key_id }) => key_id);
}

async function listLayerIds(
  { store }: Registry,
  tenant: Tenant,
): Promise<ReadonlyMap<LayerNumber, string>> {
  const layers = [
    ...(await store.layers.list(tenant)),
    ...(await store.layers.listDeleted(tenant)),
  ];
  return new Map(
    layers.filter((layer) => !isReplaced(layer)).map(({ number, id }) => [number, id]),
  );
}

async function signPage(
  registry: Registry,
  signer: Signer,
  tenant: Tenant,
  { layers, page }: { layers: ReadonlyMap<LayerNumber, string>; page: readonly UnsignedVersion[] },
): Promise<number> {
  let signed = 0;
  for (const [layer, versions] of Map.groupBy(page, (version) => version.layer)) {
    const layer_id = layers.get(layer);
    // Versions of a replaced layer are never served again.
    if (layer_id === undefined) continue;
    const signatures = await signVersions(registry, signer, tenant, { layer_id, versions });
    await registry.store.transaction(async (writes) => {
      // The layer may have been purged in the meantime.
      const current = await writes.layers.get(tenant, layer_id);
      if (current?.number !== layer) return;
      await writes.signatures.put(tenant, signatures);
      await writes.layers.touch(tenant, layer);
    });
    signed += signatures.length;
  }
  return signed;
}

async function announce(registry: Registry, signer: Signer): Promise<KeySet | undefined> {
  return publishKeys(registry, signer, (current, now) => addKeys(current, signer.keys, now));
}
