/** Media type of in-toto statements in a DSSE envelope. */
export const STATEMENT_TYPE = 'application/vnd.in-toto+json';
/** Media type of a registry's key set. */
export const KEY_SET_TYPE = 'application/vnd.catalog.key-set+json';

/**
 * Returns the bytes that a DSSE signature covers (pre-authentication encoding). They include the
 * payload type, so that a signature over one kind of document is never valid for another.
 */
export function encodePae(payload_type: string, payload: string): Uint8Array {
  const type_bytes = Buffer.byteLength(payload_type);
  const payload_bytes = Buffer.byteLength(payload);
  return Buffer.from(`DSSEv1 ${type_bytes} ${payload_type} ${payload_bytes} ${payload}`);
}
