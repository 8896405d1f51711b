import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { crc32 } from 'node:zlib';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { inParallel } from '@catalog/core/in-parallel';
import { digestOf } from './object-hash.ts';
import { endWith } from './s3-client.ts';
import { isWriteConflict } from './s3-error.ts';
import type { S3Place } from './s3-place.ts';
import { headObject, readHash, type ObjectSummary } from './s3-read.ts';

/** A larger object is sent in parts, so that a broken connection costs only one part. */
export const MAX_PUT_BYTES = 16 * 1024 * 1024;
/** S3 accepts up to 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
const PARALLEL_PARTS = 4;
const ATTEMPTS = 3;

interface Content {
  content_hash: string;
  bytes: Uint8Array;
}

/**
 * Stores an object unless the same content is already stored. The write is verified by a checksum of the store, or by
 * reading the object again.
 */
export async function store(place: S3Place, content: Content, signal?: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await headObject(place, signal);
    if (seen !== undefined && (await isStored(place, content, seen, signal))) return;
    if (!(await write(place, content, seen === undefined, signal))) continue;
    const written = await headObject(place, signal);
    if (written !== undefined && (await isStored(place, content, written, signal))) return;
    throw objectNotStored();
  }
  throw objectNotStored();
}

async function isStored(
  place: S3Place,
  { content_hash, bytes }: Content,
  seen: ObjectSummary,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (seen.size !== bytes.length) return false;
  if (seen.sha256 !== undefined) return seen.sha256 === sha256Of(content_hash);
  if (seen.crc32 !== undefined) return seen.crc32 === crc32Of(bytes);
  return (await readHash(place, signal)) === content_hash;
}

/** Writes an object. Returns false if another writer created the key first. */
async function write(
  place: S3Place,
  content: Content,
  isNew: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const send = content.bytes.length > MAX_PUT_BYTES ? sendInParts : sendWhole;
    await send(place, content, isNew ? { IfNoneMatch: '*' } : {}, signal);
    return true;
  } catch (error) {
    if (isWriteConflict(error)) return false;
    throw error;
  }
}

interface Condition {
  IfNoneMatch?: '*';
}

async function sendWhole(
  { client, bucket, key }: S3Place,
  { content_hash, bytes }: Content,
  condition: Condition,
  signal: AbortSignal | undefined,
): Promise<void> {
  await client.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentLength: bytes.length,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: sha256Of(content_hash),
      ...condition,
    }),
    endWith(signal),
  );
}

/** Uploads an object in parts with CRC-32: S3 does not support SHA-256 of a whole multipart object. */
async function sendInParts(
  place: S3Place,
  { bytes }: Content,
  condition: Condition,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { client, bucket, key } = place;
  const { UploadId: upload } = await client.send(
    new CreateMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      ContentType: 'application/octet-stream',
      ChecksumAlgorithm: 'CRC32',
      ChecksumType: 'FULL_OBJECT',
    }),
    endWith(signal),
  );
  try {
    const parts = await sendParts(place, upload, bytes, signal);
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket,
        Key: key,
        UploadId: upload,
        MultipartUpload: { Parts: parts },
        ChecksumType: 'FULL_OBJECT',
        ChecksumCRC32: crc32Of(bytes),
        ...condition,
      }),
      endWith(signal),
    );
  } catch (error) {
    // Incomplete uploads cost money. If this removal fails too, a lifecycle rule of the bucket must remove them.
    await client
      .send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload }))
      .catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  { client, bucket, key }: S3Place,
  upload: string | undefined,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<CompletedPart[]> {
  const size = Math.max(PART_BYTES, Math.ceil(bytes.length / MAX_PARTS));
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) => part * size);
  // No upload is pending when this function throws: a part that arrives after the abort would remain in the bucket.
  return inParallel(starts, { parallel: PARALLEL_PARTS, signal }, async (start, either) => {
    const piece = bytes.subarray(start, start + size);
    const part = { PartNumber: start / size + 1, ChecksumCRC32: crc32Of(piece) };
    const { ETag } = await client.send(
      new UploadPartCommand({
        Bucket: bucket,
        Key: key,
        UploadId: upload,
        Body: piece,
        ContentLength: piece.length,
        ...part,
      }),
      { abortSignal: either },
    );
    return { ...part, ETag };
  });
}

function sha256Of(content_hash: string): string {
  return Buffer.from(digestOf(content_hash), 'hex').toString('base64');
}

function crc32Of(bytes: Uint8Array): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
}

export function objectNotStored(): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    'The object store confirmed a write, but the object is missing.',
  );
}
