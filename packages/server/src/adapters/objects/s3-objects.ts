import { DeleteObjectCommand, HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { MaintenanceRun, ObjectRecord, Objects } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requireMatchingHash } from './object-hash.ts';
import { presignGet } from './s3-address.ts';
import { removeVersions } from './s3-versions.ts';
import { endWith, openS3Client, type S3Options } from './s3-client.ts';
import { withStoreErrors, isWriteConflict } from './s3-error.ts';
import { formatLastRun, lastRunFile, parseLastRun } from './last-run-file.ts';
import {
  hashOfKey,
  keyOf,
  tenantPrefix,
  withPrefix,
  type S3Bucket,
  type S3Place,
} from './s3-place.ts';
import { readSmall, writeSmall } from './s3-small.ts';
import { headObject, streamObject } from './s3-read.ts';
import { objectNotStored, store } from './s3-write.ts';
import { verifiedStream } from './verified-stream.ts';
import { formatOwner, OWNER_FILE, parseOwner } from './owner-file.ts';

/** Opens an object store in S3. Sends no request, so a registry can start while the store is unavailable. */
export function openS3Objects(options: S3Options): Objects {
  const { prefix, presign_ttl_seconds, now, endpoint, public_endpoint = endpoint } = options;
  const bucket: S3Bucket = { client: openS3Client(options), bucket: options.bucket };
  // A signature covers the host name, so URLs for consumers are signed for the public endpoint.
  const signer =
    public_endpoint === endpoint
      ? bucket.client
      : openS3Client({ ...options, endpoint: public_endpoint });

  const owner = ownerPlace(bucket, prefix);

  function placeOf(tenant: Tenant, content_hash: string): S3Place {
    return { ...bucket, key: keyOf(prefix, tenant, content_hash) };
  }

  function lastRunPlace(run: MaintenanceRun): S3Place {
    return { ...bucket, key: withPrefix(prefix, lastRunFile(run)) };
  }

  return {
    is_shared: true,
    async put(tenant, content_hash, bytes, signal) {
      const place = placeOf(tenant, content_hash);
      requireMatchingHash(content_hash, bytes);
      await withStoreErrors(() => store(place, { content_hash, bytes }, signal), signal);
    },
    async size(tenant, content_hash, signal) {
      const place = placeOf(tenant, content_hash);
      return (await withStoreErrors(() => headObject(place, signal), signal))?.size;
    },
    async open(tenant, content_hash, signal) {
      const place = placeOf(tenant, content_hash);
      const found = await withStoreErrors(() => streamObject(place, signal), signal);
      if (found === undefined) return undefined;
      const { size, pieces } = found;
      const location = `s3://${place.bucket}/${place.key}`;
      return { size, stream: verifiedStream({ content_hash, size, location }, pieces) };
    },
    async presign(tenant, content_hash, as) {
      const place = placeOf(tenant, content_hash);
      const life = { now: now(), ttl_seconds: presign_ttl_seconds };
      return withStoreErrors(() => presignGet({ ...place, client: signer }, as, life));
    },
    list: (tenant, { after, limit }, signal) =>
      withStoreErrors(
        () =>
          listPage(
            bucket,
            {
              prefix: tenantPrefix(prefix, tenant),
              after: after === '' ? undefined : keyOf(prefix, tenant, after),
              limit,
            },
            signal,
          ),
        signal,
      ),
    async remove(tenant, content_hash, signal) {
      const { client, bucket: Bucket, key } = placeOf(tenant, content_hash);
      await withStoreErrors(
        () => client.send(new DeleteObjectCommand({ Bucket, Key: key }), endWith(signal)),
        signal,
      );
    },
    async purge(tenant, content_hash, signal) {
      const place = placeOf(tenant, content_hash);
      await withStoreErrors(() => removeVersions(place, signal), signal);
    },
    getOwner: (signal) => withStoreErrors(() => readOwner(owner, signal), signal),
    setOwner: (identity, { replace }, signal) =>
      withStoreErrors(async () => {
        await writeOwner(owner, identity, replace, signal);
        const written = await readOwner(owner, signal);
        if (written === undefined) throw objectNotStored();
        return written;
      }, signal),
    getLastRun: (run, signal) =>
      withStoreErrors(async () => {
        const bytes = await readSmall(lastRunPlace(run), signal);
        return bytes && parseLastRun(bytes);
      }, signal),
    setLastRun: (run, time, signal) =>
      withStoreErrors(
        () => writeSmall(lastRunPlace(run), formatLastRun(time), true, signal),
        signal,
      ),
    async probe(signal) {
      await withStoreErrors(
        () => bucket.client.send(new HeadBucketCommand({ Bucket: bucket.bucket }), endWith(signal)),
        signal,
      );
    },
  };
}

/** Lists one page of objects. Skips foreign keys under the prefix and reads on until the page is full. */
async function listPage(
  { client, bucket }: S3Bucket,
  page: { prefix: string; after: string | undefined; limit: number },
  signal?: AbortSignal,
): Promise<ObjectRecord[]> {
  const records: ObjectRecord[] = [];
  let after = page.after;
  for (;;) {
    const { Contents: contents = [], IsTruncated: isTruncated = false } = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: page.prefix,
        MaxKeys: page.limit - records.length,
        ...(after === undefined ? {} : { StartAfter: after }),
      }),
      endWith(signal),
    );
    for (const { Key: key = '', Size: size = 0, LastModified: stored_at } of contents) {
      const content_hash = hashOfKey(key);
      if (content_hash === undefined || stored_at === undefined) continue;
      records.push({ content_hash, size, stored_at });
    }
    after = contents.at(-1)?.Key;
    if (!isTruncated || after === undefined || records.length >= page.limit) return records;
  }
}

function ownerPlace(bucket: S3Bucket, prefix: string): S3Place {
  return { ...bucket, key: withPrefix(prefix, OWNER_FILE) };
}

async function readOwner(
  place: S3Place,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const bytes = await readSmall(place, signal);
  return bytes && parseOwner(bytes);
}

/** Writes the owner of the bucket. Without `replace`, only the first of several concurrent writers succeeds. */
async function writeOwner(
  place: S3Place,
  identity: string,
  replace: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await writeSmall(place, formatOwner(identity), replace, signal);
  } catch (error) {
    if (replace || !isWriteConflict(error)) throw error;
  }
}
