import type { S3Client } from '@aws-sdk/client-s3';
import type { Tenant } from '@catalog/core/ports/tenant';
import { digestOf } from './object-hash.ts';

/** A bucket with who talks to it. */
export interface S3Bucket {
  client: S3Client;
  bucket: string;
}

/** One object in it. */
export interface S3Place extends S3Bucket {
  key: string;
}

/** A key under the prefix, which may be empty. */
export function withPrefix(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** What the keys of a tenant begin with. */
export function tenantPrefix(prefix: string, tenant: Tenant): string {
  return withPrefix(prefix, `${tenant}/`);
}

/**
 * The key of an object, led by its tenant: `<prefix>/<tenant>/<ab>/<abcd...>`. Keys sort as hashes do,
 * and a bucket that is browsed shows folders of a bearable size.
 */
export function keyOf(prefix: string, tenant: Tenant, content_hash: string): string {
  const hex = digestOf(content_hash);
  return `${tenantPrefix(prefix, tenant)}${hex.slice(0, 2)}/${hex}`;
}

const LAST_PART = /\/([0-9a-f]{64})$/;

/** The hash a key stands for; undefined for a key that is none of ours. */
export function hashOfKey(key: string): string | undefined {
  const hex = LAST_PART.exec(key)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}
