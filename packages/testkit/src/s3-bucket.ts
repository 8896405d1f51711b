import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { now } from '@catalog/server/adapters/clock';
import { OWNER_FILE } from '@catalog/server/adapters/objects/owner-file';
import { openS3Client, type S3Options } from '@catalog/server/adapters/objects/s3-client';
import type { Settings } from '@catalog/server/config/settings';
import { serviceSetting } from './services.ts';

const BUCKET = 'catalog-test';

export interface TestBucket {
  options: S3Options;
  settings: Partial<Settings>;
  /** Lists keys in order, without their prefix and the record of the owner. */
  list(): Promise<{ key: string; size: number }[]>;
  empty(): Promise<void>;
}

export async function openTestBucket(): Promise<TestBucket> {
  const options: S3Options = {
    endpoint: serviceSetting('CATALOG_TEST_S3_ENDPOINT'),
    bucket: BUCKET,
    region: 'us-east-1',
    force_path_style: true,
    credentials: {
      access_key_id: serviceSetting('CATALOG_TEST_S3_ACCESS_KEY_ID'),
      secret_access_key: serviceSetting('CATALOG_TEST_S3_SECRET_ACCESS_KEY'),
    },
    prefix: `test-${randomUUID()}`,
    presign_ttl_seconds: 300,
    egress: { proxy: { http: undefined, https: undefined, except: [] }, ca_file: undefined },
    now,
  };
  const { prefix } = options;
  await makeBucket(options);
  const client = openS3Client(options);

  async function listKeys(): Promise<{ key: string; size: number }[]> {
    const { Contents: contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `${prefix}/` }),
    );
    return contents.map(({ Key: key = '', Size: size = 0 }) => ({ key, size }));
  }

  return {
    options,
    settings: {
      'object_store.type': 's3',
      'object_store.endpoint': options.endpoint,
      'object_store.bucket': BUCKET,
      'object_store.force_path_style': true,
      'object_store.access_key_id': options.credentials?.access_key_id,
      'object_store.secret_access_key': options.credentials?.secret_access_key,
      'object_store.prefix': prefix,
    },
    list: async () =>
      (await listKeys())
        .map(({ key, size }) => ({ key: key.slice(prefix.length + 1), size }))
        .filter(({ key }) => key !== OWNER_FILE),
    async empty() {
      for (let keys = await listKeys(); keys.length > 0; keys = await listKeys()) {
        const Objects = keys.map(({ key }) => ({ Key: key }));
        await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }));
      }
      client.destroy();
    },
  };
}

/** Creates the bucket unless it exists: several test runs share a server. */
export async function makeBucket(options: S3Options): Promise<void> {
  const client = openS3Client(options);
  try {
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith('BucketAlready')) throw error;
  } finally {
    client.destroy();
  }
}
