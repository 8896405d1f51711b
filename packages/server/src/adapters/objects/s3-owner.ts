import { PutObjectCommand } from '@aws-sdk/client-s3';
import { formatOwner, OWNER_FILE, parseOwner } from './owner-file.ts';
import { endWith } from './s3-client.ts';
import { isTaken } from './s3-error.ts';
import { withPrefix, type S3Bucket, type S3Place } from './s3-place.ts';
import { openPieces } from './s3-read.ts';

/** The object that records which metadata store a prefix of a bucket belongs to. */
export function ownerPlace(bucket: S3Bucket, prefix: string): S3Place {
  return { ...bucket, key: withPrefix(prefix, OWNER_FILE) };
}

export async function readOwner(
  place: S3Place,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const found = await openPieces(place, signal);
  if (found === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of found.pieces) pieces.push(piece);
  return parseOwner(Buffer.concat(pieces));
}

/** Writes the owner. Without `replace`, of several processes that write at once, the first one wins. */
export async function writeOwner(
  { client, bucket, key }: S3Place,
  identity: string,
  replace: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = formatOwner(identity);
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/json',
        ...(replace ? {} : { IfNoneMatch: '*' }),
      }),
      endWith(signal),
    );
  } catch (error) {
    if (replace || !isTaken(error)) throw error;
  }
}
