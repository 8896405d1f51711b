import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Signer, SignerKey } from '@catalog/core/ports/signer';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { encodePae, KEY_SET_TYPE } from '@catalog/core/signing/dsse';
import { readPublicKey } from '@catalog/core/signing/ed25519';
import {
  activeKeys,
  encodeKeySet,
  type KeySet,
  type PublishedKey,
} from '@catalog/core/signing/key-set';
import { buildAuditRecord } from '../audit/build-record.ts';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { loadPublishedKeys } from './published-keys.ts';

const DAY_MS = 86_400_000;
/** Validity of a key set that the registry renews itself, in days. */
const ONLINE_DAYS = 90;
/** Validity of a key set that an operator signs with the root key, in days. */
const ROOT_DAYS = 365;

/** Content of the next key set; its version and expiry are added. */
export type NextKeys = Pick<KeySet, 'keys' | 'root_key' | 'signing'>;

/**
 * Publishes the next key set, signed by all keys of the registry and by the root key if the set names
 * one. Clients accept a set by a key of the set before, so at least one of those keys must be present.
 */
export async function publishKeys(
  registry: Registry,
  signer: Signer,
  choose: (current: KeySet | undefined, now: Date) => NextKeys | undefined,
  root?: Signer,
): Promise<KeySet | undefined> {
  const published = await registry.store.transaction(async (writes) => {
    const current = await loadPublishedKeys(writes);
    const now = registry.now();
    const next = choose(current, now);
    if (next === undefined) return undefined;
    requireLink(current, signer, next, root);
    const set = withValidity(next, current, now);
    const document = encodeKeySet(set);
    const bytes = encodePae(KEY_SET_TYPE, document);
    const signatures = await Promise.all(
      [signer, ...(next.root_key === null || root === undefined ? [] : [root])].flatMap((one) =>
        one.keys.map(async ({ key_id }) => ({ key_id, sig: await one.sign(key_id, bytes) })),
      ),
    );
    await writes.key_sets.add({ version: set.version, document, signatures });
    await audit(registry, writes, set);
    return set;
  });
  registry.caches.keys = undefined;
  return published;
}

function withValidity(next: NextKeys, current: KeySet | undefined, now: Date): KeySet {
  const days = next.root_key === null ? ONLINE_DAYS : ROOT_DAYS;
  return {
    ...next,
    version: Math.max(now.getTime(), (current?.version ?? 0) + 1),
    expires_at: new Date(now.getTime() + days * DAY_MS).toISOString(),
  };
}

function requireLink(
  current: KeySet | undefined,
  signer: Signer,
  { root_key }: NextKeys,
  root: Signer | undefined,
): void {
  const root_id = root_key === null ? undefined : readPublicKey(root_key)?.key_id;
  if (root_id !== undefined && !root?.keys.some(({ key_id }) => key_id === root_id)) {
    throw unavailable(
      `The key set is signed with the root key ${root_id}, which is not available here.`,
      'Run `catalog admin keys rotate --root-key <file>` or `catalog admin keys retire --root-key <file>` where the root key is.',
    );
  }
  if (root_id !== undefined || current === undefined || current.signing === 'ended') return;
  const active = activeKeys(current);
  if (signer.keys.some(({ key_id }) => active.has(key_id))) return;
  throw unavailable(
    'None of the keys in sign_key_path is in the published key set, so clients would not accept them.',
    'Add the previous key file as the last one in sign_key_path. If it is lost, clients must pin the new key.',
  );
}

function unavailable(message: string, suggested_action: string): CatalogError {
  return new CatalogError('config.signature_provider_unavailable', message, {
    details: { key: 'sign_key_path' },
    suggested_action,
  });
}

async function audit(registry: Registry, writes: StoreWrites, set: KeySet): Promise<void> {
  const context = systemAuditContext(registry, 'signing');
  await writes.audit.append(ONLY_TENANT, [
    buildAuditRecord(context, 'signing.keys_published', {
      version: set.version,
      signing: set.signing,
      keys: set.keys.map(({ key_id, ended }) => (ended === null ? key_id : `${key_id} ${ended}`)),
    }),
  ]);
}

/** Returns a signer's key for a key set. */
export function toPublished({ key_id, public_key }: SignerKey, now: Date): PublishedKey {
  return {
    key_id,
    algorithm: 'ed25519',
    public_key,
    added_at: now.toISOString(),
    expires_at: null,
    ended_at: null,
    ended: null,
  };
}

/** Adds keys that the set does not list yet; undefined if it lists all. */
export function addKeys(
  current: KeySet | undefined,
  keys: readonly SignerKey[],
  now: Date,
): NextKeys | undefined {
  const listed = current?.signing === 'active' ? current.keys : [];
  const missing = keys.filter(({ key_id }) => !listed.some((one) => one.key_id === key_id));
  if (missing.length === 0) return undefined;
  const added = missing.map((key) => toPublished(key, now));
  return { keys: [...listed, ...added], root_key: current?.root_key ?? null, signing: 'active' };
}
