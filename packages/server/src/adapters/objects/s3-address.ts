import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectDelivery, PresignedAddress } from '@catalog/core/ports/objects';
import type { S3Place } from './s3-place.ts';

/** Returns a presigned URL, which gives access to the object until it expires (SPEC-55). */
export async function presignGet(
  { client, bucket, key }: S3Place,
  { file_name, media_type }: ObjectDelivery,
  life: { now: Date; ttl_seconds: number },
): Promise<PresignedAddress> {
  const { now, ttl_seconds } = life;
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentType: media_type,
    ResponseContentDisposition: contentDisposition(file_name),
  });
  const url = await getSignedUrl(client, command, { expiresIn: ttl_seconds, signingDate: now });
  return { url, expires_at: new Date(now.getTime() + ttl_seconds * 1000) };
}

/** Characters that are unsafe in headers or on some file systems. */
const UNSAFE = /[^A-Za-z0-9._-]/g;

/**
 * Makes browsers save the file: an HTML page in an artifact must not run in a browser. The plain name
 * is for old clients; the encoded one is the original name (RFC 6266).
 */
export function contentDisposition(file_name: string): string {
  const name = file_name.slice(file_name.lastIndexOf('/') + 1) || 'object';
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replaceAll(UNSAFE, '_')}"; filename*=UTF-8''${encoded}`;
}
