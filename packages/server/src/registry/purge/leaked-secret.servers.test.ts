// The runbook "A secret or other confidential content was published", with two processes.
import {
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { getObject, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { purge } from '@catalog/contract/endpoints/purge';
import { makeBucket } from '@catalog/testkit/s3-bucket';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings } from '@catalog/testkit/varied-registry';
import { expect, onTestFinished, test } from 'vitest';
import { startS3 } from '../../../../../tools/services/s3.ts';
import { now } from '../../adapters/clock.ts';
import { openS3Client } from '../../adapters/objects/s3-client.ts';

const MAX_MS = 5000;
const SECRET = 'a secret that leaked\n';

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: Deploys the service.\n---\nDeploy.\n`;
}

/** Starts an object store whose bucket keeps every version of an object. */
async function openVersionedBucket() {
  const s3 = await startS3({ folder: temporaryFolder(), versions: true });
  onTestFinished(() => s3.stop());
  const { endpoint, access_key_id, secret_access_key } = s3;
  const options = {
    endpoint,
    bucket: 'catalog',
    region: 'us-east-1',
    force_path_style: true,
    credentials: { access_key_id, secret_access_key },
    prefix: 'versioned',
    presign_ttl_seconds: 300,
    egress: { proxy: { http: undefined, https: undefined, except: [] }, ca_file: undefined },
    now,
  };
  await makeBucket(options);
  const client = openS3Client(options);
  onTestFinished(() => client.destroy());
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket: 'catalog', VersioningConfiguration }));
  return {
    client,
    settings: {
      'object_store.type': 's3',
      'object_store.endpoint': endpoint,
      'object_store.bucket': 'catalog',
      'object_store.force_path_style': true,
      'object_store.access_key_id': access_key_id,
      'object_store.secret_access_key': secret_access_key,
      'object_store.prefix': 'versioned',
    } as const,
    /** Lists the keys of all versions of objects, and of delete markers. */
    async listKeys(hash: string): Promise<string[]> {
      const listed = await client.send(new ListObjectVersionsCommand({ Bucket: 'catalog' }));
      const all = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
      return all.map(({ Key = '' }) => Key).filter((key) => key.endsWith(hash));
    },
  };
}

const VERSION = { id: 'ops/deploy', version: '1.1.0' };

async function readEverywhere(server: RegistryServer, key: string): Promise<number[]> {
  const [loaded, pinned, object] = await Promise.all([
    server.request(loadArtifact, { query: { id: 'ops/deploy' } }),
    server.request(loadArtifact, { query: VERSION }),
    server.request(getObject, { params: { key } }),
  ]);
  return [loaded.status, pinned.status, object.status];
}

test('after the response, no process serves a copy, and the objects are gone', async () => {
  const bucket = await openVersionedBucket();
  const settings = { ...(await openSettings('standard')), ...bucket.settings };
  const server = await startRegistry({ settings, keep: true });
  onTestFinished(() => server.close());
  const other = await startRegistry({ settings, keep: true });
  onTestFinished(() => other.close());
  await server.ingest({ 'ops/deploy/ARTIFACT.md': rule('1.0.0') });
  await server.ingest({
    'ops/deploy/ARTIFACT.md': rule('1.1.0'),
    'ops/deploy/large.txt': SECRET.repeat(30_000),
  });
  const { large_resources } = await server.call(loadArtifact, { query: VERSION });
  const large = large_resources['large.txt'];
  const key = large?.content_hash.replace('sha256:', '') ?? '';
  const url = large?.presigned_url ?? '';
  expect((await fetch(url)).status).toBe(200);
  const [stored = ''] = await bucket.listKeys(key);
  await bucket.client.send(
    new PutObjectCommand({ Bucket: 'catalog', Key: stored, Body: SECRET.repeat(30_000) }),
  );
  expect((await bucket.listKeys(key)).length).toBe(2);
  for (const process of [server, other]) {
    expect(await readEverywhere(process, key)).toEqual([200, 200, 200]);
  }
  const started = performance.now();
  const result = await server.call(purge, { body: { ...VERSION, reason: 'Leaked.' } });
  expect(performance.now() - started).toBeLessThan(MAX_MS);
  expect(result).toMatchObject({ objects_removed: 1, now_served: [{ version: '1.0.0' }] });
  for (const process of [other, server]) {
    expect(await readEverywhere(process, key)).toEqual([200, 404, 404]);
    const { artifacts } = await process.call(syncManifestEndpoint);
    expect(artifacts.map(({ version }) => version)).toEqual(['1.0.0']);
  }
  expect(await bucket.listKeys(key)).toEqual([]);
  expect((await fetch(url)).status).toBe(404);
});
