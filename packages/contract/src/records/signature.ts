import { z } from 'zod';
import { contentHash } from './formats.ts';

/** Media type of a Sigstore bundle, version 0.3. */
export const BUNDLE_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/**
 * Sigstore bundle over an in-toto statement, signed with a key of the registry. Unknown members reach
 * the verification, which rejects them.
 */
export const signatureBundle = z.looseObject({
  mediaType: z.string().meta({ examples: [BUNDLE_TYPE] }),
  verificationMaterial: z.looseObject({
    publicKey: z.looseObject({ hint: z.string().describe('Id of the key.') }),
  }),
  dsseEnvelope: z.looseObject({
    payload: z.string().describe('In-toto statement in base64.'),
    payloadType: z.string(),
    signatures: z.array(z.looseObject({ sig: z.string(), keyid: z.string() })),
  }),
});
export type SignatureBundle = z.infer<typeof signatureBundle>;

/** Maximum number of content hashes in a request for signatures. */
export const MAX_SIGNATURE_HASHES = 500;

export const signaturesBody = z.strictObject({
  content_hashes: z.array(contentHash).min(1).max(MAX_SIGNATURE_HASHES),
});
export type SignaturesBody = z.infer<typeof signaturesBody>;

export const signatureEntry = z.strictObject({
  id: z.string(),
  version: z.string(),
  layer: z.string(),
  content_hash: contentHash,
  signature: signatureBundle,
});
export type SignatureEntry = z.infer<typeof signatureEntry>;

export const signaturesResponse = z.strictObject({
  signatures: z
    .array(signatureEntry)
    .describe('Signatures of visible versions, by id, version, and layer.'),
});
export type SignaturesResponse = z.infer<typeof signaturesResponse>;

const keyId = z.string().describe('SHA-256 of the public key in hexadecimal digits.');

/** Signed list of a registry's keys, with all earlier lists that lead to it. */
export const signedKeySet = z.strictObject({
  document: z.string().describe('Key set as JSON, exactly as it was signed.'),
  signatures: z.array(
    z.strictObject({ key_id: keyId, sig: z.string().describe('Signature in base64.') }),
  ),
});
export type SignedKeySet = z.infer<typeof signedKeySet>;

export const keySetResponse = z.strictObject({
  key_sets: z.array(signedKeySet).describe('Oldest first; the last one is current.'),
});
export type KeySetResponse = z.infer<typeof keySetResponse>;
