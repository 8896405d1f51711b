import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AUDIT_PREFIX, type AuditObjects } from '@catalog/core/ports/audit-objects';
import { endWith } from './s3-client.ts';
import { isWriteConflict, withStoreErrors } from './s3-error.ts';
import { withPrefix, type S3Bucket } from './s3-place.ts';
import { readSmall, writeSmall } from './s3-small.ts';

export function s3AuditObjects(bucket: S3Bucket, prefix: string): AuditObjects {
  const folder = `${withPrefix(prefix, AUDIT_PREFIX)}/`;
  return {
    create: (name, bytes, signal) =>
      withStoreErrors(async () => {
        try {
          await writeSmall({ ...bucket, key: folder + name }, bytes, false, signal);
          return true;
        } catch (error) {
          if (isWriteConflict(error)) return false;
          throw error;
        }
      }, signal),
    read: (name, signal) =>
      withStoreErrors(() => readSmall({ ...bucket, key: folder + name }, signal), signal),
    list: ({ after, limit }, signal) =>
      withStoreErrors(async () => {
        const { Contents: contents = [] } = await bucket.client.send(
          new ListObjectsV2Command({
            Bucket: bucket.bucket,
            Prefix: folder,
            MaxKeys: limit,
            ...(after === '' ? {} : { StartAfter: folder + after }),
          }),
          endWith(signal),
        );
        return contents.map(({ Key: key = '' }) => key.slice(folder.length));
      }, signal),
  };
}
