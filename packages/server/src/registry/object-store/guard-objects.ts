import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { StoreIdentity } from '@catalog/core/ports/identity';
import type { Objects } from '@catalog/core/ports/objects';
import type { Store } from '@catalog/core/ports/store';
import { readOnlyError } from '@catalog/core/read-only-error';
import { decideOwner, type OwnerDecision } from './decide-owner.ts';
import { OWNER_PROBLEMS } from './owner-problems.ts';

/** Object store that can be changed only while it belongs to the database (ADR-0068). */
export interface GuardedObjects extends Objects {
  /**
   * Checks the owner, and claims an object store without one. Throws `config.invalid` if it belongs to another
   * database.
   */
  checkOwner(signal?: AbortSignal): Promise<void>;
}

export type OwnerChange =
  | 'claimed'
  /** The database got a new identity, because a standby was promoted. */
  | 'renewed';

export interface GuardOptions {
  objects: Objects;
  store: Pick<Store, 'identity' | 'transaction'>;
  newId: () => string;
  onChange?: (change: OwnerChange, identity: string) => Promise<void> | void;
}

export function guardObjects(options: GuardOptions): GuardedObjects {
  const { objects, store, newId, onChange } = options;
  let isOwned = false;
  let watched: string | undefined;

  /** Handles a moved database. If this process saw the database before, the move is a failover. */
  async function followMove(found: StoreIdentity): Promise<StoreIdentity> {
    if (found.origin !== 'changed' || watched !== found.identity) return found;
    const renewed = await store.transaction(({ identity }) =>
      identity.renew(found.identity, newId()),
    );
    watched = renewed.identity;
    await onChange?.('renewed', renewed.identity);
    return renewed;
  }

  async function check(read: StoreIdentity, signal?: AbortSignal): Promise<OwnerDecision> {
    const found = await followMove(read);
    const { identity, object_store_identity } = found;
    let owner = await objects.getOwner(signal);
    let decision = decideOwner({ store: found, owner, is_shared: objects.is_shared, watched });
    if (decision === 'claim' || decision === 'follow') {
      const replace = decision === 'follow';
      owner = await objects.setOwner(identity, { replace }, signal);
      if (owner === identity && !replace) await onChange?.('claimed', identity);
      decision = owner === identity ? 'owned' : 'foreign';
    }
    if (decision === 'unknown') {
      if (owner === identity || owner === object_store_identity) watched = identity;
      return decision;
    }
    isOwned = decision === 'owned';
    if (!isOwned) return decision;
    watched = identity;
    if (object_store_identity !== identity) {
      await store.transaction((writes) => writes.identity.claimObjectStore(identity));
    }
    return decision;
  }

  async function checkOwner(signal?: AbortSignal): Promise<void> {
    refuseProblem(await check(await loadIdentity(store, newId), signal));
  }

  async function requireOwned(signal?: AbortSignal): Promise<void> {
    if (!isOwned) await checkOwner(signal);
  }

  return {
    ...objects,
    checkOwner,
    async put(tenant, content_hash, bytes, signal) {
      await requireOwned(signal);
      await objects.put(tenant, content_hash, bytes, signal);
    },
    /** Lists are used only to remove objects, so every page is checked again. */
    async list(tenant, page, signal) {
      await checkOwner(signal);
      return objects.list(tenant, page, signal);
    },
    async remove(tenant, content_hash, signal) {
      await requireOwned(signal);
      await objects.remove(tenant, content_hash, signal);
    },
    async purge(tenant, content_hash, signal) {
      await requireOwned(signal);
      await objects.purge(tenant, content_hash, signal);
    },
    async probe(signal) {
      await objects.probe(signal);
      // If the database cannot be read, nothing is known about the owner.
      const found = await loadIdentity(store, newId).catch(() => undefined);
      if (found === undefined) return;
      const decision = await check(found, signal);
      if (decision !== 'unknown') refuseProblem(decision);
    },
  };
}

export async function loadIdentity(
  store: GuardOptions['store'],
  newId: () => string,
): Promise<StoreIdentity> {
  const found = await store.identity.get();
  return found ?? store.transaction(({ identity }) => identity.create(newId()));
}

function refuseProblem(decision: OwnerDecision): void {
  if (decision === 'unknown') throw readOnlyError();
  if (decision === 'owned' || decision === 'claim' || decision === 'follow') return;
  const { message, suggested_action } = OWNER_PROBLEMS[decision];
  throw new CatalogError('config.invalid', message, { suggested_action });
}
