import { readBundle } from './bundle.ts';
import { encodePae, STATEMENT_TYPE } from './dsse.ts';
import { readPublicKey, verifyEd25519, type PublicKey } from './ed25519.ts';
import { CLOCK_LEEWAY_MS, keyProblemAt, type KeyProblem, type KeySet } from './key-set.ts';
import { readStatement, type SignedVersion, type StatementProblem } from './version-statement.ts';

/** Facts about a version that a client received and compares with the signature. */
export type ReceivedVersion = Omit<SignedVersion, 'source_commit' | 'signed_at' | 'tenant'> & {
  /** Undefined if the client does not know its tenant yet. */
  tenant: string | undefined;
};

/** Reason for which a signature is invalid. */
export type SignatureProblem =
  | 'malformed_bundle'
  | 'payload_type'
  | 'unknown_key'
  | 'bad_signature'
  | StatementProblem
  | KeyProblem
  | 'signed_in_future'
  | `other_${keyof ReceivedVersion}`;

export type VersionVerification =
  | { kind: 'valid'; signed: SignedVersion }
  | { kind: 'invalid'; reason: SignatureProblem };

/** Verifies that a bundle is the signature of exactly this version, by a key of the set. */
export function verifyVersion(
  bundle: unknown,
  received: ReceivedVersion,
  keys: KeySet,
  now: Date,
): VersionVerification {
  const reading = readBundle(bundle);
  if (reading.kind === 'problem') return invalid(reading.reason);
  const { key_id, payload, signature } = reading.signed;
  const published = keys.keys.find((one) => one.key_id === key_id);
  const key = published === undefined ? undefined : loadKey(published.public_key);
  if (published === undefined || key === undefined) return invalid('unknown_key');
  if (!verifyEd25519(key, encodePae(STATEMENT_TYPE, payload), signature)) {
    return invalid('bad_signature');
  }
  const statement = readStatement(payload);
  if (statement.kind === 'problem') return invalid(statement.reason);
  const { signed } = statement;
  const problem = keyProblemAt(published, signed.signed_at);
  if (problem !== undefined) return invalid(problem);
  if (Date.parse(signed.signed_at) > now.getTime() + CLOCK_LEEWAY_MS) {
    return invalid('signed_in_future');
  }
  for (const name of COMPARED) {
    if (received[name] !== undefined && received[name] !== signed[name]) {
      return invalid(`other_${name}`);
    }
  }
  return { kind: 'valid', signed };
}

const COMPARED = [
  'content_hash',
  'tenant',
  'id',
  'version',
  'type',
  'layer',
  'sensitivity',
] as const satisfies readonly (keyof ReceivedVersion)[];

function invalid(reason: SignatureProblem): VersionVerification {
  return { kind: 'invalid', reason };
}

const loaded = new Map<string, PublicKey | undefined>();

/** Parsing a key takes as long as a verification, and registries have few keys. */
function loadKey(public_key: string): PublicKey | undefined {
  if (!loaded.has(public_key)) {
    if (loaded.size >= 100) loaded.clear();
    loaded.set(public_key, readPublicKey(public_key));
  }
  return loaded.get(public_key);
}
