import { createHash } from 'node:crypto';

/** Namespace of RFC 9562 for URLs. */
const URL_NAMESPACE = '6ba7b8119dad11d180b400c04fd430c8';

/** Returns the id of a tenant: the UUIDv5 of `catalog:org:<name>`, the same in every registry (SPEC-34). */
export function tenantId(name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(URL_NAMESPACE, 'hex'))
    .update(`catalog:org:${name}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
