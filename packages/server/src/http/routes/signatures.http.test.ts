import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  batchLoad,
  getSignatures,
  loadArtifact,
  signingKeys,
} from '@catalog/contract/endpoints/materialization';
import { listIngests, registerLayer } from '@catalog/contract/endpoints/layers';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import type { SignatureBundle } from '@catalog/contract/records/signature';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { acceptKeySets } from '@catalog/core/signing/accept-key-set';
import { readBundle } from '@catalog/core/signing/bundle';
import { readStatement, type SignedVersion } from '@catalog/core/signing/version-statement';
import { verifyVersion } from '@catalog/core/signing/verify-version';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { createRegistryKeys, signsWith } from '@catalog/testkit/registry-keys';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { openTestBackend } from '@catalog/testkit/test-backend';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { endKey } from '../../registry/signing/change-keys.ts';
import { signStored } from '../../registry/signing/sign-stored.ts';

function rule(version: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: What to do about releases.\n${more}---\nDo it.\n`;
}

const folder_of_keys = mkdtempSync(join(tmpdir(), 'catalog-keys-'));
const keys = createRegistryKeys(folder_of_keys);
afterAll(() => rmSync(folder_of_keys, { recursive: true, force: true }));

async function serveSigned(more = {}): Promise<RegistryServer> {
  return startRegistry({ settings: { ...signsWith(keys), ...more } });
}

async function loadKeys(server: RegistryServer) {
  const { key_sets } = await server.call(signingKeys);
  const decision = acceptKeySets(
    key_sets,
    { known: undefined, pinned: [], root: undefined },
    new Date(),
  );
  if (decision.kind === 'refused') throw new Error(decision.reason);
  return decision.set;
}

function statementOf(bundle: SignatureBundle | undefined): SignedVersion {
  const reading = readBundle(bundle);
  if (reading.kind === 'problem') throw new Error(reading.reason);
  const statement = readStatement(reading.signed.payload);
  if (statement.kind === 'problem') throw new Error(statement.reason);
  return statement.signed;
}

const load = (server: RegistryServer, id: string) => server.call(loadArtifact, { query: { id } });

const tenantOf = async ({ registry }: RegistryServer) =>
  (await registry.store.tenants.get(ONLY_TENANT))?.id;

describe('a registry that signs', () => {
  test('signs every version, for this tenant and layer', async () => {
    const server = await serveSigned();
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.2.3', 'sensitivity: medium\n') });
    const loaded = await load(server, 'ops/a');
    const received = {
      tenant: await tenantOf(server),
      id: 'ops/a',
      version: '1.2.3',
      type: 'rule',
      layer: 'base',
      content_hash: loaded.content_hash,
      sensitivity: 'medium',
    } as const;
    const set = await loadKeys(server);
    const verification = verifyVersion(loaded.signature, received, set, new Date());
    expect(verification).toMatchObject({
      kind: 'valid',
      signed: { ...received, source_commit: null },
    });
    expect(loaded.signature?.verificationMaterial.publicKey.hint).toBe(keys.key_ids[0]);
    const [item] = await server.call(batchLoad, { body: { ids: ['ops/a'] } });
    expect(item).toMatchObject({ signature: loaded.signature });
  });

  test('serves bundles that the Sigstore library accepts', async () => {
    const server = await serveSigned();
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.2.3') });
    const { signature } = await load(server, 'ops/a');
    const [published] = (await loadKeys(server)).keys;
    const der = Buffer.from(published?.public_key ?? '', 'base64');
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const none = {
      mediaType: '',
      tlogs: [],
      ctlogs: [],
      certificateAuthorities: [],
      timestampAuthorities: [],
    };
    const trust = toTrustMaterial(none, (hint) => {
      if (hint !== published?.key_id) throw new Error(`unknown key ${hint}`);
      return { publicKey, validFor: () => true };
    });
    const verifier = new Verifier(trust, {
      tlogThreshold: 0,
      ctlogThreshold: 0,
      timestampThreshold: 0,
    });
    const verify = (bundle: unknown) => verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
    expect(verify(signature).key.equals(publicKey)).toBe(true);
    const other = structuredClone(signature);
    if (other !== undefined) other.dsseEnvelope.payload = Buffer.from('{}').toString('base64');
    expect(() => verify(other)).toThrow('signature verification failed');
  });

  test('announces signing in responses and in the manifest', async () => {
    const server = await serveSigned();
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.2.3') });
    const { version } = await loadKeys(server);
    for (const request of [
      server.request(loadArtifact, { query: { id: 'ops/a' } }),
      server.request(batchLoad, { body: { ids: ['ops/a'] } }),
      server.request(syncManifestEndpoint),
    ]) {
      expect((await request).headers['x-catalog-signing']).toBe(String(version));
    }
    expect(await server.call(syncManifestEndpoint)).toMatchObject({
      signing: { key_set: version },
    });
  });

  verifies(
    ['FM-13', 'EXT-02'],
    'the signature of an extends child is its own, over the content it is served with',
    async () => {
      const server = await serveSigned();
      await server.ingest({
        'ops/parent/ARTIFACT.md': rule('1.0.0', 'signature: of the parent\ntags: [a]\n'),
        'ops/child/ARTIFACT.md': rule('2.0.0', 'signature: of the child\nextends: ops/parent\n'),
      });
      const parent = await load(server, 'ops/parent');
      const child = await load(server, 'ops/child');
      expect(child.manifest_body).toContain('signature: of the child');
      expect(child.manifest_body).toContain('tags:');
      expect(statementOf(child.signature)).toMatchObject({
        id: 'ops/child',
        version: '2.0.0',
        content_hash: child.content_hash,
      });
      expect(statementOf(parent.signature)).toMatchObject({ id: 'ops/parent' });
      const [item] = await server.call(batchLoad, { body: { ids: ['ops/child'] } });
      expect(item).toMatchObject({ signature: child.signature });
    },
  );
});

describe('POST /v1/signatures', () => {
  test('returns signatures by content hash, with its own ETag', async () => {
    const server = await serveSigned();
    await server.ingest({
      'ops/a/ARTIFACT.md': rule('1.0.0'),
      'ops/b/ARTIFACT.md': rule('1.0.0'),
    });
    const { content_hash, signature } = await load(server, 'ops/a');
    const body = { content_hashes: [content_hash] };
    const found = await server.request(getSignatures, { body });
    expect(found.body).toEqual({
      signatures: [
        { id: 'ops/a', version: '1.0.0', layer: 'base', content_hash, signature },
        expect.objectContaining({ id: 'ops/b', content_hash }),
      ],
    });
    const headers = { 'if-none-match': String(found.headers['etag']) };
    expect((await server.request(getSignatures, { body, headers })).status).toBe(304);
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0'), 'ops/c/ARTIFACT.md': rule('1.0.0') });
    expect((await server.request(getSignatures, { body, headers })).status).toBe(200);
  });

  test('hides versions of layers that the caller cannot see', async () => {
    const server = await serveSigned({ ...TRUSTED_HEADERS, bootstrap_admins: ['admin'] });
    const admin = server.as(asCaller({ subject: 'admin' }));
    await admin.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') }, { id: 'hidden', users: ['ada'] });
    const ada = server.as(asCaller({ subject: 'ada' }));
    const { content_hash } = await ada.call(loadArtifact, { query: { id: 'ops/a' } });
    const body = { content_hashes: [content_hash] };
    expect((await ada.call(getSignatures, { body })).signatures).toHaveLength(1);
    const bo = server.as(asCaller({ subject: 'bo' }));
    expect(await bo.call(getSignatures, { body })).toEqual({ signatures: [] });
  });
});

describe('a registry with content that turns signing on', () => {
  test('announces it only after all versions are signed, and the load then has a signature', async () => {
    const folder = temporaryFolder();
    const backend = await openTestBackend(folder);
    onTestFinished(() => backend.close());
    const before = await startRegistry({ backend, keep: true });
    await before.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
    await before.close();
    const server = await startRegistry({ backend, settings: signsWith(keys) });
    const first = await server.request(syncManifestEndpoint);
    expect(first.headers['x-catalog-signing']).toBeUndefined();
    expect((await load(server, 'ops/a')).signature).toBeUndefined();

    const { registry } = server;
    const signal = new AbortController().signal;
    if (registry.signer === undefined) throw new Error('the registry does not sign');
    const done = await signStored(registry, registry.signer, () => undefined, signal);
    expect(done).toMatchObject({ signed: 1, announced: { signing: 'active' } });
    const second = await server.request(syncManifestEndpoint, {
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    expect(second.status).toBe(200);
    expect(second.headers['x-catalog-signing']).toBeDefined();
    const { signature, content_hash } = await load(server, 'ops/a');
    expect(statementOf(signature)).toMatchObject({ id: 'ops/a', content_hash });
    const again = await signStored(registry, registry.signer, () => undefined, signal);
    expect(again).toEqual({ signed: 0, announced: undefined });
  });

  test('refuses to start without its keys once it has announced signing', async () => {
    const folder = temporaryFolder();
    const backend = await openTestBackend(folder);
    onTestFinished(() => backend.close());
    const before = await startRegistry({ backend, keep: true, settings: signsWith(keys) });
    await before.close();
    await expect(startRegistry({ backend })).rejects.toMatchObject({
      code: 'config.signature_provider_unavailable',
    });
    await expect(
      startRegistry({ backend, settings: signsWith(createRegistryKeys(temporaryFolder())) }),
    ).rejects.toMatchObject({ code: 'config.signature_provider_unavailable' });
  });
});

async function registerOther(server: RegistryServer): Promise<void> {
  const local_path = temporaryFolder();
  writeTree(local_path, { 'ops/b/ARTIFACT.md': rule('1.0.0') });
  await server.call(registerLayer, { body: { id: 'other', source_type: 'local', local_path } });
}

verifies('ERR-52', 'an ingest whose key was revoked fails and stores nothing', async () => {
  const server = await serveSigned();
  await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
  const { registry } = server;
  if (registry.signer === undefined) throw new Error('the registry does not sign');
  const holder = { signer: registry.signer, root: undefined };
  await endKey(registry, holder, keys.key_ids[0] ?? '', { ended: 'revoked', since: undefined });
  await registerOther(server);
  await expect
    .poll(async () => (await server.call(listIngests, { query: { id: 'other' } })).ingests.at(-1))
    .toMatchObject({
      state: 'failed',
      error: { code: 'ingest.sign_failed', details: { artifact_id: 'ops/b', version: '1.0.0' } },
    });
  const { artifacts } = await server.call(syncManifestEndpoint);
  expect(artifacts.map(({ id }) => id)).toEqual(['ops/a']);
});

verifies('ERR-52', 'an ingest fails and stores nothing if the signer throws', async () => {
  const server = await serveSigned();
  const { registry } = server;
  registry.signer = {
    keys: registry.signer?.keys ?? [],
    sign: () => Promise.reject(new Error('the module is locked')),
  };
  await registerOther(server);
  await expect
    .poll(async () => (await server.call(listIngests, { query: { id: 'other' } })).ingests.at(-1))
    .toMatchObject({ state: 'failed', error: { code: 'ingest.sign_failed' } });
  expect((await server.call(syncManifestEndpoint)).artifacts).toEqual([]);
});
