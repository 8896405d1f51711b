import type { SignatureEntry, SignedKeySet } from '@catalog/contract/records/signature';
import type { Connection } from './connection.ts';
import { DISCOVERY_MS, exchange, parseJson } from './exchange.ts';
import { notARegistry } from './unreachable.ts';

/** Paths as in the contract, whose schemas are not loaded here. A test compares them. */
export const SIGNING_PATHS = {
  signatures: '/v1/signatures',
  keys: '/.well-known/catalog-keys.json',
} as const;

/** Fetches signatures of versions by their content hashes. The caller verifies each of them. */
export async function getSignatures(
  connection: Connection,
  content_hashes: readonly string[],
  signal?: AbortSignal,
): Promise<SignatureEntry[]> {
  const answer = await exchange(
    connection,
    {
      method: 'POST',
      path: SIGNING_PATHS.signatures,
      body: JSON.stringify({ content_hashes }),
      idle_ms: DISCOVERY_MS,
      // A read despite its method.
      repeatable: true,
    },
    signal,
  );
  const value = parseJson(answer.bytes);
  const { signatures } = isRecord(value) ? value : {};
  if (Array.isArray(signatures) && signatures.every(isEntry)) return signatures;
  throw notARegistry(connection.registry, 'did not return signatures');
}

/** Fetches the published key sets, oldest first. The caller decides whether to trust them. */
export async function getKeySets(
  connection: Connection,
  signal?: AbortSignal,
): Promise<SignedKeySet[]> {
  const answer = await exchange(
    connection,
    { method: 'GET', path: SIGNING_PATHS.keys, idle_ms: DISCOVERY_MS, repeatable: true },
    signal,
  );
  const value = parseJson(answer.bytes);
  const { key_sets } = isRecord(value) ? value : {};
  if (Array.isArray(key_sets) && key_sets.every(isSignedSet)) return key_sets;
  throw notARegistry(connection.registry, 'did not return signing keys');
}

function isEntry(value: unknown): value is SignatureEntry {
  return (
    isRecord(value) &&
    ['id', 'version', 'layer', 'content_hash'].every((name) => typeof value[name] === 'string')
  );
}

function isSignedSet(value: unknown): value is SignedKeySet {
  if (!isRecord(value) || typeof value['document'] !== 'string') return false;
  const { signatures } = value;
  return (
    Array.isArray(signatures) &&
    signatures.every(
      (one) => isRecord(one) && typeof one['key_id'] === 'string' && typeof one['sig'] === 'string',
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
