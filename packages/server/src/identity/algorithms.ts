import type { KeyObject } from 'node:crypto';

const CURVES: ReadonlyMap<string, string> = new Map([
  ['ES256', 'prime256v1'],
  ['ES384', 'secp384r1'],
  ['ES512', 'secp521r1'],
]);
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const MIN_RSA_BITS = 2048;

/** Accepted signature algorithms. All of them are asymmetric, so a public key cannot create a signature. */
export const ALGORITHMS: readonly string[] = [...RSA, ...CURVES.keys(), 'EdDSA'];

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
