import type { SignedKeySet } from '@catalog/contract/records/signature';
import { readPublicKey, type KeyId } from './ed25519.ts';
import { activeKeys, CLOCK_LEEWAY_MS, readKeySet, signersOf, type KeySet } from './key-set.ts';

/** Starting point of trust in the keys of a registry. */
export interface KeyTrust {
  /** Set that this client accepted last. */
  known: KeySet | undefined;
  /** Ids of the keys that the user's configuration names. */
  pinned: readonly KeyId[];
  /** Id of the offline root key that the user's configuration names. */
  root: KeyId | undefined;
}

/** Reason for which the key sets of a registry are not accepted. */
export type KeySetProblem = 'malformed_key_set' | 'untrusted_key_set' | 'key_set_expired';

export type KeySetDecision =
  | { kind: 'accepted'; set: KeySet; first_use: boolean }
  | { kind: 'refused'; reason: KeySetProblem };

/**
 * Decides whether a client accepts the served key sets, oldest first. Each set must be signed by a key
 * of the accepted set before it, or by the root key if one is pinned. Without a known set and without
 * pins, the newest set is accepted on first use. A set older than the known one changes nothing: after
 * a restore, a registry may serve one until it publishes the next.
 */
export function acceptKeySets(
  served: readonly SignedKeySet[],
  { known, pinned, root }: KeyTrust,
  now: Date,
): KeySetDecision {
  const sets: { signed: SignedKeySet; set: KeySet }[] = [];
  for (const signed of served) {
    const set = readKeySet(signed.document);
    if (set === undefined) return refused('malformed_key_set');
    sets.push({ signed, set });
  }
  sets.sort((a, b) => a.set.version - b.set.version);
  let accepted = known;
  for (const { signed, set } of sets) {
    if (accepted !== undefined && set.version <= accepted.version) continue;
    if (isLinked(signed, set, { known: accepted, pinned, root })) accepted = set;
  }
  const newest = sets.at(-1);
  const first_use = accepted === undefined && pinned.length === 0 && root === undefined;
  if (first_use && newest !== undefined && isSelfSigned(newest)) accepted = newest.set;
  if (accepted === undefined) return refused('untrusted_key_set');
  if (newest !== undefined && newest.set.version > accepted.version) {
    return refused('untrusted_key_set');
  }
  if (Date.parse(accepted.expires_at) + CLOCK_LEEWAY_MS < now.getTime()) {
    return refused('key_set_expired');
  }
  return { kind: 'accepted', set: accepted, first_use };
}

function refused(reason: KeySetProblem): KeySetDecision {
  return { kind: 'refused', reason };
}

function isLinked(signed: SignedKeySet, set: KeySet, { known, pinned, root }: KeyTrust): boolean {
  if (root !== undefined) {
    const own = set.root_key === null ? undefined : readPublicKey(set.root_key);
    return own?.key_id === root && signersOf(signed, set, new Set([root])).size > 0;
  }
  return signersOf(signed, set, known === undefined ? new Set(pinned) : linkKeys(known)).size > 0;
}

/** Keys that may sign the next set. A registry that stopped signing may start again with a former key. */
function linkKeys(known: KeySet): ReadonlySet<KeyId> {
  if (known.signing === 'active') return activeKeys(known);
  return new Set(known.keys.flatMap(({ key_id, ended }) => (ended === 'revoked' ? [] : [key_id])));
}

function isSelfSigned({ signed, set }: { signed: SignedKeySet; set: KeySet }): boolean {
  return signersOf(signed, set, activeKeys(set)).size > 0 || set.signing === 'ended';
}
