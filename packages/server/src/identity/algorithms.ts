import type { KeyObject } from 'node:crypto';

/** Kinds of keys and their curves, by the one kind of signature each may make. */
const CURVES: ReadonlyMap<string, string> = new Map([
  ['ES256', 'prime256v1'],
  ['ES384', 'secp384r1'],
  ['ES512', 'secp521r1'],
]);
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const MIN_RSA_BITS = 2048;

/** The signatures a token may have. All need a private key: a public one proves nothing about who signed. */
export const ALGORITHMS: readonly string[] = [...RSA, ...CURVES.keys(), 'EdDSA'];

/** Whether a public key can have made a signature of that algorithm. */
export function fitsAlgorithm(
  { type, asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject,
  algorithm: string,
): boolean {
  if (type !== 'public') return false;
  if (algorithm === 'EdDSA') return asymmetricKeyType === 'ed25519';
  const curve = CURVES.get(algorithm);
  if (curve !== undefined) return asymmetricKeyType === 'ec' && details?.namedCurve === curve;
  return (
    RSA.includes(algorithm) &&
    asymmetricKeyType === 'rsa' &&
    (details?.modulusLength ?? 0) >= MIN_RSA_BITS
  );
}
