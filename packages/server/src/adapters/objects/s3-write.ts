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
import { isTaken } from './s3-error.ts';
import type { S3Place } from './s3-place.ts';
import { lookAt, readHash, type SeenObject } from './s3-read.ts';

/** Past this an object is sent in parts, so that a broken connection costs one of them. */
export const LARGEST_PUT = 16 * 1024 * 1024;
/** S3 takes at most 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;
const PARALLEL_PARTS = 4;
/** Writers that meet at one key look again this often. */
const ATTEMPTS = 3;

/** What there is to store, and under which hash. */
interface Content {
  content_hash: string;
  bytes: Uint8Array;
}

/**
 * Stores bytes once. What is there already is not sent again; what is there and is something else is
 * replaced. The write counts when the store itself names the checksum of what it has, or when what it
 * has was read back.
 */
export async function store(place: S3Place, content: Content, signal?: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await lookAt(place, signal);
    if (seen !== undefined && (await isStored(place, content, seen, signal))) return;
    if (!(await write(place, content, seen === undefined, signal))) continue;
    const written = await lookAt(place, signal);
    if (written !== undefined && (await isStored(place, content, written, signal))) return;
    throw notKept();
  }
  throw notKept();
}

/** Whether what the store has are these bytes. */
async function isStored(
  place: S3Place,
  { content_hash, bytes }: Content,
  seen: SeenObject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (seen.size !== bytes.length) return false;
  if (seen.sha256 !== undefined) return seen.sha256 === sha256Of(content_hash);
  if (seen.crc32 !== undefined) return seen.crc32 === crc32Of(bytes);
  return (await readHash(place, signal)) === content_hash;
}

/** Sends the bytes; false where somebody else wrote the key meanwhile. */
async function write(
  place: S3Place,
  content: Content,
  isNew: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const send = content.bytes.length > LARGEST_PUT ? sendInParts : sendWhole;
    await send(place, content, isNew ? { IfNoneMatch: '*' } : {}, signal);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Nobody's object is overwritten by a writer who believed there was none. */
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

/** S3 knows no SHA-256 over the whole of an object sent in parts; it knows a CRC-32. */
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
    // Parts nobody puts together are paid for; should this fail too, a rule of the bucket removes them.
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
  const size = Math.max(PART_BYTES, Math.ceil(bytes.length / MOST_PARTS));
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) => part * size);
  // No part is on its way when this throws: one that arrives after its upload was given up would stay.
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

export function notKept(): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    'The object store confirmed a write, but the object is missing.',
  );
}
