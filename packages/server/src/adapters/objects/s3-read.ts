import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { startHash } from '@catalog/core/artifact/content-hash';
import { endWith, IDLE_MS } from './s3-client.ts';
import { isAbsent, unavailable } from './s3-error.ts';
import type { S3Place } from './s3-place.ts';

export interface ObjectSummary {
  size: number;
  /** Base64 SHA-256 of the whole object, if the store provides one. */
  sha256: string | undefined;
  crc32: string | undefined;
}

export async function headObject(
  { client, bucket, key }: S3Place,
  signal?: AbortSignal,
): Promise<ObjectSummary | undefined> {
  try {
    const seen = await client.send(
      new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }),
      endWith(signal),
    );
    // A composite checksum covers parts, so it cannot be compared with the hash of an object.
    const isWhole = seen.ChecksumType !== 'COMPOSITE';
    return {
      size: seen.ContentLength ?? 0,
      sha256: isWhole ? seen.ChecksumSHA256 : undefined,
      crc32: isWhole ? seen.ChecksumCRC32 : undefined,
    };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export async function streamObject(
  { client, bucket, key }: S3Place,
  signal?: AbortSignal,
): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined> {
  try {
    const { Body: body, ContentLength: size = 0 } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: key }),
      endWith(signal),
    );
    if (!(body instanceof Readable)) throw new Error('a response without a body');
    return { size, pieces: readWithIdleTimeout(body, signal) };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export async function readHash(place: S3Place, signal?: AbortSignal): Promise<string | undefined> {
  const found = await streamObject(place, signal);
  if (found === undefined) return undefined;
  const hash = startHash();
  for await (const piece of found.pieces) hash.add(piece);
  return hash.end();
}

/** Yields the chunks of a body. Throws if no data arrives in time; pauses of the reader do not count. */
async function* readWithIdleTimeout(
  body: Readable,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stop = (): void => void body.destroy(new Error('aborted'));
  signal?.addEventListener('abort', stop, { once: true });
  const late = (): void => {
    body.destroy(Object.assign(new Error('the download was incomplete'), { name: 'TimeoutError' }));
  };
  let timer = setTimeout(late, IDLE_MS);
  try {
    for await (const piece of body) {
      clearTimeout(timer);
      yield piece;
      timer = setTimeout(late, IDLE_MS);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    body.destroy();
  }
}
