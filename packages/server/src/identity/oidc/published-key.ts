import { createPublicKey, hash, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { ALGORITHMS, fitsAlgorithm } from '../algorithms.ts';

export interface PublishedKey {
  kid: string | undefined;
  /** Allowed algorithm; if undefined, every algorithm of the key's type is allowed. */
  algorithm: string | undefined;
  key: KeyObject;
  jwk: JsonObject;
  /** Fingerprint that is equal for the same key in different responses of the issuer. */
  fingerprint: string;
}

const MAX_KEYS = 100;

/** Parses keys. Skips those that cannot verify a signature, as RFC 7517 requires. */
export function readKeys(keys: readonly Json[]): PublishedKey[] {
  return keys.slice(0, MAX_KEYS).flatMap((entry) => readKey(entry) ?? []);
}

const MEMBERS: ReadonlyMap<Json | undefined, readonly string[]> = new Map([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

function readKey(entry: Json): PublishedKey | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { kty, kid, alg, use, key_ops } = entry;
  const members = MEMBERS.get(kty);
  if (members === undefined || (use !== undefined && use !== 'sig')) return undefined;
  if (Array.isArray(key_ops) && !key_ops.includes('verify')) return undefined;
  if (alg !== undefined && !(typeof alg === 'string' && ALGORITHMS.includes(alg))) return undefined;
  const material = pick(entry, ['kty', ...members]);
  const key = importKey(material);
  if (key === undefined || (alg !== undefined && !fitsAlgorithm(key, alg))) return undefined;
  const named = typeof kid === 'string' ? kid : undefined;
  const bytes = key.export({ format: 'der', type: 'spki' });
  const fingerprint = JSON.stringify([named, alg, hash('sha256', bytes, 'base64')]);
  const jwk = { ...material, ...pick(entry, ['kid', 'alg']) };
  return { kid: named, algorithm: alg, key, jwk, fingerprint };
}

function pick(entry: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name)));
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/**
 * Selects the key of a token. Returns undefined if no key or several keys match, or if the key does not fit the
 * algorithm.
 */
export function pickKey(
  keys: readonly PublishedKey[],
  kid: string | undefined,
  algorithm: string,
): PublishedKey | undefined {
  if (!ALGORITHMS.includes(algorithm)) return undefined;
  if (kid === undefined && keys.length !== 1) return undefined;
  const [picked, ...others] = keys.filter(
    (one) =>
      (kid === undefined || one.kid === kid) &&
      (one.algorithm ?? algorithm) === algorithm &&
      fitsAlgorithm(one.key, algorithm),
  );
  return others.length === 0 ? picked : undefined;
}
