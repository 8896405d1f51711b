import {
  constants,
  createHmac,
  generateKeyPair,
  randomUUID,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

export type TokenHeader = Readonly<Record<string, unknown>>;

export interface SigningKey {
  kid: string;
  algorithm: string;
  private_key: KeyObject;
  public_key: KeyObject;
  jwk: JsonWebKey & { kid?: string; alg?: string; use?: string };
  public_key_pem: string;
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const generate = promisify(generateKeyPair);

export async function newSigningKey(
  algorithm: string,
  kid: string = randomUUID(),
): Promise<SigningKey> {
  const { privateKey: private_key, publicKey: public_key } = await newPair(algorithm);
  return {
    kid,
    algorithm,
    private_key,
    public_key,
    jwk: { ...public_key.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
    public_key_pem: public_key.export({ format: 'pem', type: 'spki' }).toString(),
  };
}

function newPair(algorithm: string): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  const namedCurve = CURVES[algorithm];
  if (namedCurve !== undefined) return generate('ec', { namedCurve });
  return algorithm === 'EdDSA' ? generate('ed25519') : generate('rsa', { modulusLength: 2048 });
}

/** Signs a token; undefined members are left out. */
export function signToken(key: SigningKey, claims: object, header: TokenHeader = {}): string {
  const protectedHeader = { alg: key.algorithm, kid: key.kid, typ: 'JWT', ...header };
  return signText(key, JSON.stringify(protectedHeader), JSON.stringify(claims));
}

/** Signs any strings, whatever algorithm the header names. */
export function signText(key: SigningKey, header: string, payload: string): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signatureOf(key.algorithm, key.private_key, input).toString('base64url')}`;
}

/** Signs a token like an attacker without the private key. */
export function signWithSecret(
  secret: string | Buffer,
  header: TokenHeader,
  claims: object,
): string {
  const input = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claims))}`;
  const hash = `sha${String(header['alg']).slice(2) || '256'}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Creates a JWS signature (RFC 7518, RFC 8037), whatever the header of the token. */
export function signatureOf(algorithm: string, key: KeyObject, text: string): Buffer {
  const data = Buffer.from(text);
  if (algorithm === 'EdDSA') return sign(null, data, key);
  const digest = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('ES')) return sign(digest, data, { key, dsaEncoding: 'ieee-p1363' });
  if (algorithm.startsWith('RS')) return sign(digest, data, key);
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  return sign(digest, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
}
