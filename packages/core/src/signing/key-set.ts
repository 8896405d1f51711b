import type { SignedKeySet } from '@catalog/contract/records/signature';
import { isJsonObject } from '../json.ts';
import { encodePae, KEY_SET_TYPE } from './dsse.ts';
import { isKeyId, readPublicKey, verifyEd25519, type KeyId } from './ed25519.ts';

/** Key of a registry as its key set lists it. */
export interface PublishedKey {
  key_id: KeyId;
  algorithm: 'ed25519';
  /** SubjectPublicKeyInfo, DER, in base64. */
  public_key: string;
  added_at: string;
  /** The key signs nothing from this time on; null if it does not expire. */
  expires_at: string | null;
  /** Signatures from this time on are invalid; null for a key in use. */
  ended_at: string | null;
  /** Reason for the end: replaced, or no longer trustworthy. */
  ended: 'retired' | 'revoked' | null;
}

/** Keys of a registry. Its publication announces that every version is signed (SPEC-94). */
export interface KeySet {
  /** Milliseconds since 1970 at the publication, so that it also increases after a restore. */
  version: number;
  expires_at: string;
  /** `ended` if the operator turned signing off. */
  signing: 'active' | 'ended';
  /** Public key of the offline root key, in base64; null without one. */
  root_key: string | null;
  keys: readonly PublishedKey[];
}

/** Returns the document of a key set, as the string that is signed. */
export function encodeKeySet({ version, expires_at, signing, root_key, keys }: KeySet): string {
  return JSON.stringify({
    version,
    expires_at,
    signing,
    root_key,
    keys: keys.map((key) => ({
      key_id: key.key_id,
      algorithm: key.algorithm,
      public_key: key.public_key,
      added_at: key.added_at,
      expires_at: key.expires_at,
      ended_at: key.ended_at,
      ended: key.ended,
    })),
  });
}

/** Reads the document of a key set; undefined if it is malformed or lists a key of another kind. */
export function readKeySet(document: string): KeySet | undefined {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return undefined;
  }
  if (!isKeySet(value)) return undefined;
  return encodeKeySet(value) === document ? value : undefined;
}

function isKeySet(value: unknown): value is KeySet {
  if (!isJsonObject(value)) return false;
  const { version, expires_at, signing, root_key, keys } = value;
  return (
    Number.isSafeInteger(version) &&
    isTime(expires_at) &&
    (signing === 'active' || signing === 'ended') &&
    (root_key === null ||
      (typeof root_key === 'string' && readPublicKey(root_key) !== undefined)) &&
    Array.isArray(keys) &&
    keys.every(isPublishedKey)
  );
}

function isPublishedKey(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { key_id, algorithm, public_key, added_at, expires_at, ended_at, ended } = value;
  return (
    typeof key_id === 'string' &&
    isKeyId(key_id) &&
    algorithm === 'ed25519' &&
    typeof public_key === 'string' &&
    readPublicKey(public_key)?.key_id === key_id &&
    isTime(added_at) &&
    (expires_at === null || isTime(expires_at)) &&
    (ended_at === null) === (ended === null) &&
    (ended_at === null || isTime(ended_at)) &&
    (ended === null || ended === 'retired' || ended === 'revoked')
  );
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Reason for which a signature by a listed key is invalid at a time. */
export type KeyProblem = 'key_retired' | 'key_revoked' | 'key_expired';

/** Clocks of registries and clients may differ by this much, in milliseconds. */
export const CLOCK_LEEWAY_MS = 5 * 60_000;

/** Returns why a key must not have signed anything at a time; undefined if it may have. */
export function keyProblemAt(key: PublishedKey, signed_at: string): KeyProblem | undefined {
  const time = Date.parse(signed_at);
  if (key.ended_at !== null && time >= Date.parse(key.ended_at)) {
    return key.ended === 'revoked' ? 'key_revoked' : 'key_retired';
  }
  if (key.expires_at !== null && time >= Date.parse(key.expires_at)) return 'key_expired';
  return undefined;
}

/** Returns the ids among `trusted` whose signatures of the set are valid. */
export function signersOf(
  signed: SignedKeySet,
  set: KeySet,
  trusted: ReadonlySet<KeyId>,
): Set<KeyId> {
  const bytes = encodePae(KEY_SET_TYPE, signed.document);
  const materials = [...set.keys.map(({ public_key }) => public_key), set.root_key];
  const keys = new Map(
    materials.flatMap((text) => {
      const key = text === null ? undefined : readPublicKey(text);
      return key === undefined ? [] : [[key.key_id, key] as const];
    }),
  );
  const signers = new Set<KeyId>();
  for (const { key_id, sig } of signed.signatures) {
    const key = keys.get(key_id);
    if (key === undefined || !trusted.has(key_id)) continue;
    if (verifyEd25519(key, bytes, sig)) signers.add(key_id);
  }
  return signers;
}

/** Returns the ids of keys that are in use. */
export function activeKeys({ keys }: KeySet): Set<KeyId> {
  return new Set(keys.flatMap(({ key_id, ended }) => (ended === null ? [key_id] : [])));
}
