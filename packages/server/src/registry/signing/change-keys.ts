import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Signer, SignerKey } from '@catalog/core/ports/signer';
import type { KeySet, PublishedKey } from '@catalog/core/signing/key-set';
import type { Registry } from '../registry.ts';
import { publishKeys, toPublished } from './publish-keys.ts';

/** Signer of the registry, with the root key if the operator has it here. */
export interface KeyHolder {
  signer: Signer;
  root: Signer | undefined;
}

/**
 * Publishes a new key next to the present ones, before any process signs with it. The first root key
 * given here becomes that of the registry.
 */
export async function addKey(
  registry: Registry,
  { signer, root }: KeyHolder,
  key: SignerKey,
  expires_at: string | null,
): Promise<KeySet> {
  const published = await publishKeys(
    registry,
    signer,
    (current, now) => {
      const { keys, root_key } = requireActive(current);
      const others = keys.filter(({ key_id }) => key_id !== key.key_id);
      const added = { ...toPublished(key, now), expires_at };
      const chosen = root_key ?? root?.keys[0]?.public_key ?? null;
      return { keys: [...others, added], root_key: chosen, signing: 'active' };
    },
    root,
  );
  return requireActive(published);
}

/** End of a key: its replacement, or the time from which its signatures are not trustworthy. */
export type KeyEnd = { ended: 'retired' } | { ended: 'revoked'; since: string | undefined };

/** Ends a key. Signatures that it made before the end stay valid. */
export async function endKey(
  registry: Registry,
  { signer, root }: KeyHolder,
  named: string,
  end: KeyEnd,
): Promise<{ set: KeySet; key: PublishedKey }> {
  let ended: PublishedKey | undefined;
  const set = await publishKeys(
    registry,
    signer,
    (current, now) => {
      const { keys, root_key } = requireActive(current);
      const key = findKey(keys, named);
      const [signing] = signer.keys;
      if (end.ended === 'retired' && key.key_id === signing?.key_id) throw stillSigns(key);
      const since = end.ended === 'revoked' ? end.since : undefined;
      const found = { ...key, ended: end.ended, ended_at: since ?? now.toISOString() };
      ended = found;
      const next = keys.map((one) => (one.key_id === key.key_id ? found : one));
      return { keys: next, root_key, signing: 'active' };
    },
    root,
  );
  if (ended === undefined) throw new Error('the change of the keys was not published');
  return { set: requireActive(set), key: ended };
}

/** Publishes that the registry no longer signs (SPEC-94). */
export async function endSigning(
  registry: Registry,
  { signer, root }: KeyHolder,
): Promise<KeySet | undefined> {
  return publishKeys(
    registry,
    signer,
    (current, now) => {
      const { keys, root_key } = requireActive(current);
      const ended_at = now.toISOString();
      const retired = keys.map((key): PublishedKey =>
        key.ended === null ? { ...key, ended: 'retired', ended_at } : key,
      );
      return { keys: retired, root_key, signing: 'ended' };
    },
    root,
  );
}

function requireActive(set: KeySet | undefined): KeySet {
  if (set?.signing === 'active') return set;
  throw new CatalogError(
    'config.signature_provider_unavailable',
    'This registry has not announced signing, so it has no published keys.',
    {
      details: { key: 'sign' },
      suggested_action: 'Sign all versions and announce it with `catalog admin sign --all`.',
    },
  );
}

/** Shortest accepted beginning of a key id. */
const MIN_PREFIX = 8;

function findKey(keys: readonly PublishedKey[], named: string): PublishedKey {
  const found = keys.filter(
    ({ key_id }) => named.length >= MIN_PREFIX && key_id.startsWith(named.toLowerCase()),
  );
  const [key] = found;
  if (key !== undefined && found.length === 1) return key;
  throw new CatalogError(
    'config.usage',
    found.length === 0
      ? `No published key has the id ${named}.`
      : `Several keys start with ${named}.`,
    {
      details: { command: 'admin keys retire', argument: 'key' },
      suggested_action: `Pass at least ${MIN_PREFIX} digits of an id from \`catalog admin keys list\`.`,
    },
  );
}

function stillSigns({ key_id }: PublishedKey): CatalogError {
  return new CatalogError(
    'config.usage',
    `The key ${key_id} is the first one in sign_key_path, so it still signs.`,
    {
      details: { command: 'admin keys retire', argument: 'key' },
      suggested_action:
        'Rotate first with `catalog admin keys rotate`. If the key was stolen, pass --revoke.',
    },
  );
}
