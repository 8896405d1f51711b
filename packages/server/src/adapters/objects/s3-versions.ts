import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { endWith } from './s3-client.ts';
import type { S3Place } from './s3-place.ts';

/** Removes an object with its former versions and delete markers, which a plain removal keeps. */
export async function removeVersions(
  { client, bucket: Bucket, key: Key }: S3Place,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const page = await listVersions();
    if (page === 'unsupported') {
      await client.send(new DeleteObjectCommand({ Bucket, Key }), endWith(signal));
      return;
    }
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].filter(
      (version) => version.Key === Key,
    );
    for (const { VersionId } of found) {
      const version = VersionId === undefined ? {} : { VersionId };
      await client.send(new DeleteObjectCommand({ Bucket, Key, ...version }), endWith(signal));
    }
    if (found.length === 0) return;
  }

  async function listVersions(): Promise<ListObjectVersionsCommandOutput | 'unsupported'> {
    try {
      return await client.send(
        new ListObjectVersionsCommand({ Bucket, Prefix: Key }),
        endWith(signal),
      );
    } catch (error) {
      if (error instanceof Error && error.name === 'NotImplemented') return 'unsupported';
      throw error;
    }
  }
}
