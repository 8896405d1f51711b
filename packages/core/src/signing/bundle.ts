import { BUNDLE_TYPE, type SignatureBundle } from '@catalog/contract/records/signature';
import { isJsonObject } from '../json.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { STATEMENT_TYPE } from './dsse.ts';
import { isKeyId, type KeyId } from './ed25519.ts';

/** Statement with its only signature. */
export interface SignedPayload {
  key_id: KeyId;
  payload: string;
  /** In base64. */
  signature: string;
}

/** Returns the Sigstore bundle of a signed statement. */
export function toBundle({ key_id, payload, signature }: SignedPayload): SignatureBundle {
  return {
    mediaType: BUNDLE_TYPE,
    verificationMaterial: { publicKey: { hint: key_id } },
    dsseEnvelope: {
      payload: encodeBase64(Buffer.from(payload)),
      payloadType: STATEMENT_TYPE,
      signatures: [{ sig: signature, keyid: key_id }],
    },
  };
}

export type BundleReading =
  | { kind: 'bundle'; signed: SignedPayload }
  | { kind: 'problem'; reason: 'malformed_bundle' | 'payload_type' };

/**
 * Reads a bundle that a registry served. Accepts only one signature, in canonical base64, by the key in
 * the verification material: certificates and transparency log entries are never checked here.
 */
export function readBundle(bundle: unknown): BundleReading {
  const material = member(bundle, 'verificationMaterial');
  const envelope = member(bundle, 'dsseEnvelope');
  const public_key = member(material, 'publicKey');
  const hint = public_key?.['hint'];
  if (!isJsonObject(bundle) || bundle['mediaType'] !== BUNDLE_TYPE) return malformed;
  if (!hasOnly(bundle, 3) || !hasOnly(material, 1) || !hasOnly(public_key, 1)) return malformed;
  if (!hasOnly(envelope, 3) || typeof hint !== 'string' || !isKeyId(hint)) return malformed;
  const { payload, payloadType, signatures } = envelope;
  if (payloadType !== STATEMENT_TYPE) return { kind: 'problem', reason: 'payload_type' };
  if (typeof payload !== 'string' || !Array.isArray(signatures)) return malformed;
  const [only] = signatures;
  if (signatures.length !== 1 || !isJsonObject(only) || !hasOnly(only, 2)) return malformed;
  const decoded = decodeBase64(payload);
  const { sig, keyid } = only;
  if (decoded === undefined || typeof sig !== 'string' || keyid !== hint) return malformed;
  const text = decoded.toString('utf8');
  if (!Buffer.from(text).equals(decoded)) return malformed;
  return { kind: 'bundle', signed: { key_id: hint, payload: text, signature: sig } };
}

const malformed = { kind: 'problem', reason: 'malformed_bundle' } as const;

function member(value: unknown, name: string): Record<string, unknown> | undefined {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function hasOnly(
  value: Record<string, unknown> | undefined,
  count: number,
): value is Record<string, unknown> {
  return value !== undefined && Object.keys(value).length === count;
}
