import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { inParallel } from '@catalog/core/in-parallel';
import type { StoredSignature, UnsignedVersion } from '@catalog/core/ports/signatures';
import type { Signer } from '@catalog/core/ports/signer';
import type { Tenant } from '@catalog/core/ports/tenant';
import { encodePae, STATEMENT_TYPE } from '@catalog/core/signing/dsse';
import { keyProblemAt, type KeyProblem } from '@catalog/core/signing/key-set';
import { encodeStatement } from '@catalog/core/signing/version-statement';
import type { Registry } from '../registry.ts';
import { loadPublishedKeys } from './published-keys.ts';

/** Enough to use all threads of Node's pool. */
const PARALLEL = 16;

/** Versions of one layer, whose id the signatures cover. */
export interface VersionsToSign {
  layer_id: string;
  versions: readonly UnsignedVersion[];
}

/** Signs versions; throws `ingest.sign_failed` before anything is stored (ERR-52). */
export async function signVersions(
  registry: Registry,
  signer: Signer,
  tenant: Tenant,
  { layer_id, versions }: VersionsToSign,
): Promise<StoredSignature[]> {
  const [first] = versions;
  if (first === undefined) return [];
  const key_id = await requireSigningKey(registry, signer, first);
  const organization = (await registry.store.tenants.get(tenant))?.id ?? '';
  const signed_at = registry.now().toISOString();
  return inParallel(versions, { parallel: PARALLEL }, async (version) => {
    const { layer, id, content_hash } = version;
    const payload = encodeStatement({
      tenant: organization,
      id,
      version: version.version,
      type: version.type,
      layer: layer_id,
      content_hash,
      source_commit: version.source_commit,
      sensitivity: version.sensitivity,
      signed_at,
    });
    const bytes = encodePae(STATEMENT_TYPE, payload);
    const signature = await signer.sign(key_id, bytes).catch((cause: unknown) => {
      throw signFailed(version, 'The signer failed.', cause);
    });
    const place = { layer, id, version: version.version };
    return { ...place, content_hash, key_id, payload, signature, signed_at };
  });
}

/** Returns the id of the key that signs now. */
async function requireSigningKey(
  registry: Registry,
  { keys }: Signer,
  version: UnsignedVersion,
): Promise<string> {
  const [key] = keys;
  if (key === undefined) throw signFailed(version, 'There is no signing key.');
  const set = await loadPublishedKeys(registry.store);
  if (set === undefined || set.signing === 'ended') return key.key_id;
  const published = set.keys.find(({ key_id }) => key_id === key.key_id);
  if (published === undefined) {
    throw signFailed(version, `The key ${key.key_id} is not in the published key set.`);
  }
  const problem = keyProblemAt(published, registry.now().toISOString());
  if (problem === undefined) return key.key_id;
  throw signFailed(version, `The key ${key.key_id} ${ENDED[problem]}.`);
}

const ENDED: Readonly<Record<KeyProblem, string>> = {
  key_expired: 'has expired',
  key_retired: 'was retired',
  key_revoked: 'was revoked',
};

function signFailed(
  { id, version }: UnsignedVersion,
  problem: string,
  cause?: unknown,
): CatalogError {
  return new CatalogError(
    'ingest.sign_failed',
    `${id} ${version} could not be signed, so the ingest was rolled back. ${problem}`,
    {
      details: { artifact_id: id, version },
      suggested_action:
        'Put a valid key first in sign_key_path, or run `catalog admin keys rotate`. Then ingest again.',
      cause,
    },
  );
}
