import { PutObjectCommand } from '@aws-sdk/client-s3';
import { endWith } from './s3-client.ts';
import type { S3Place } from './s3-place.ts';
import { streamObject } from './s3-read.ts';

export async function readSmall(
  place: S3Place,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const found = await streamObject(place, signal);
  if (found === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of found.pieces) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Writes a small JSON object. Without `replace`, the request fails if the object exists. */
export async function writeSmall(
  { client, bucket, key }: S3Place,
  bytes: Uint8Array,
  replace: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
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
}
