import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { SignatureBundle, SignedKeySet } from '@catalog/contract/records/signature';
import { contentHash } from '@catalog/core/artifact/content-hash';
import { toBundle } from '@catalog/core/signing/bundle';
import { encodePae, KEY_SET_TYPE, STATEMENT_TYPE } from '@catalog/core/signing/dsse';
import { describeKey } from '@catalog/core/signing/ed25519';
import { encodeKeySet, type KeySet, type PublishedKey } from '@catalog/core/signing/key-set';
import { encodeStatement, type SignedVersion } from '@catalog/core/signing/version-statement';
import { createPublicKey } from 'node:crypto';
import { sendJson, startFakeServer, type FakeServer } from './fake-server.ts';

export interface TestKey {
  key_id: string;
  public_key: string;
  private_key: KeyObject;
}

export function newTestKey(): TestKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const private_key = createPrivateKey(pem);
  return { ...describeKey(createPublicKey(private_key)), private_key };
}

export function signBytes({ private_key }: TestKey, bytes: Uint8Array): string {
  return sign(null, bytes, private_key).toString('base64');
}

/** Signs any payload under any payload type. */
export function bundleOf(
  key: TestKey,
  payload: string,
  { signed_as = STATEMENT_TYPE }: { signed_as?: string } = {},
): SignatureBundle {
  const signature = signBytes(key, encodePae(signed_as, payload));
  return toBundle({ key_id: key.key_id, payload, signature });
}

export function publishedKey(key: TestKey, more: Partial<PublishedKey> = {}): PublishedKey {
  return {
    key_id: key.key_id,
    algorithm: 'ed25519',
    public_key: key.public_key,
    added_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    ended_at: null,
    ended: null,
    ...more,
  };
}

export function keySetOf(keys: readonly PublishedKey[], more: Partial<KeySet> = {}): KeySet {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  return { version: 100, expires_at, signing: 'active', root_key: null, keys, ...more };
}

export function signKeySet(set: KeySet | string, signers: readonly TestKey[]): SignedKeySet {
  const document = typeof set === 'string' ? set : encodeKeySet(set);
  const bytes = encodePae(KEY_SET_TYPE, document);
  return {
    document,
    signatures: signers.map((key) => ({ key_id: key.key_id, sig: signBytes(key, bytes) })),
  };
}

export const NOTE = {
  id: 'ops/note',
  version: '1.0.0',
  type: 'rule',
  layer: 'base',
  manifest:
    '---\ntype: rule\nversion: 1.0.0\ndescription: What to note.\nsensitivity: medium\n---\nNote it.\n',
} as const;

export const NOTE_HASH = contentHash([
  { path: 'ARTIFACT.md', bytes: Buffer.from(NOTE.manifest), executable: false },
]);

/** Facts that an honest signature of the note has. */
export function signedNote(): SignedVersion {
  const { id, version, type, layer } = NOTE;
  return {
    tenant: 'tenant',
    id,
    version,
    type,
    layer,
    content_hash: NOTE_HASH,
    source_commit: null,
    sensitivity: 'medium',
    signed_at: '2026-02-01T00:00:00.000Z',
  };
}

/** State of a registry with one artifact. A test changes it as an attacker would. */
export interface SignedRegistry {
  key: TestKey;
  key_sets: SignedKeySet[];
  /** Undefined if the attacker strips it. */
  header: string | undefined;
  /** In batches and loads. */
  bundle: unknown;
  /** In `POST /v1/signatures`. */
  fetched: unknown;
  server: FakeServer;
}

/** Starts a registry that serves one signed artifact, honestly until a test changes its state. */
export async function startSignedRegistry(): Promise<SignedRegistry> {
  const key = newTestKey();
  const bundle = bundleOf(key, encodeStatement(signedNote()));
  const state: Omit<SignedRegistry, 'server'> = {
    key,
    key_sets: [signKeySet(keySetOf([publishedKey(key)]), [key])],
    header: '100',
    bundle,
    fetched: bundle,
  };
  const { id, version, type, layer, manifest } = NOTE;
  const place = { id, type, version, layer, content_hash: NOTE_HASH };
  const server = await startFakeServer(({ path }, response) => {
    const headers: Record<string, string> =
      state.header === undefined ? {} : { 'x-catalog-signing': state.header };
    const signature = state.bundle === undefined ? {} : { signature: state.bundle };
    const served = { ...place, deprecated: false, manifest_body: manifest, ...signature };
    if (path.startsWith('/v1/sync/manifest')) {
      const artifacts = [{ ...place, deprecated: false }];
      return sendJson(response, { artifacts, rejected: [] }, { headers });
    }
    if (path.startsWith('/v1/artifacts:batchLoad')) {
      return sendJson(response, [{ ...served, status: 'ok', resources: [] }], { headers });
    }
    if (path.startsWith('/v1/load_artifact')) {
      return sendJson(response, { ...served, resources: {}, large_resources: {} }, { headers });
    }
    if (path.startsWith('/v1/signatures')) {
      const signatures =
        state.fetched === undefined
          ? []
          : [{ id, version, layer, content_hash: NOTE_HASH, signature: state.fetched }];
      return sendJson(response, { signatures }, { headers });
    }
    if (path.startsWith('/.well-known/catalog-keys.json')) {
      return sendJson(response, { key_sets: state.key_sets });
    }
    const error = {
      code: 'registry.not_found',
      message: 'Not found',
      retryable: false,
      suggested_action: '',
    };
    return sendJson(response, { error }, { status: 404 });
  });
  return Object.assign(state, { server });
}
