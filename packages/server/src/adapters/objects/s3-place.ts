import type { S3Client } from '@aws-sdk/client-s3';
import type { Tenant } from '@catalog/core/ports/tenant';
import { digestOf } from './object-hash.ts';

export interface S3Bucket {
  client: S3Client;
  bucket: string;
}

export interface S3Place extends S3Bucket {
  key: string;
}

export function withPrefix(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}

export function tenantPrefix(prefix: string, tenant: Tenant): string {
  return withPrefix(prefix, `${tenant}/`);
}

/**
 * Returns `<prefix>/<tenant>/<ab>/<abcd...>`. Keys sort like hashes, and the two-digit level keeps
 * folders small for users who browse the bucket.
 */
export function keyOf(prefix: string, tenant: Tenant, content_hash: string): string {
  const hex = digestOf(content_hash);
  return `${tenantPrefix(prefix, tenant)}${hex.slice(0, 2)}/${hex}`;
}

const LAST_PART = /\/([0-9a-f]{64})$/;

/** Returns undefined for a key that catalog did not write. */
export function hashOfKey(key: string): string | undefined {
  const hex = LAST_PART.exec(key)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}
