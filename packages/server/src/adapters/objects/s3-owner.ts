import { formatOwner, OWNER_FILE, parseOwner } from './owner-file.ts';
import { isTaken } from './s3-error.ts';
import { withPrefix, type S3Bucket, type S3Place } from './s3-place.ts';
import { readSmall, writeSmall } from './s3-small.ts';

/** The object that records which metadata store a prefix of a bucket belongs to. */
export function ownerPlace(bucket: S3Bucket, prefix: string): S3Place {
  return { ...bucket, key: withPrefix(prefix, OWNER_FILE) };
}

export async function readOwner(
  place: S3Place,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const bytes = await readSmall(place, signal);
  return bytes && parseOwner(bytes);
}

/** Writes the owner. Without `replace`, of several processes that write at once, the first one wins. */
export async function writeOwner(
  place: S3Place,
  identity: string,
  replace: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await writeSmall(place, formatOwner(identity), replace, signal);
  } catch (error) {
    if (replace || !isTaken(error)) throw error;
  }
}
