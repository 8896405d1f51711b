import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { decideOwner, type OwnerDecision } from './decide-owner.ts';
import { loadIdentity } from './guard-objects.ts';

export interface ObjectStoreOwner {
  decision: OwnerDecision;
  identity: string;
  owner: string | undefined;
}

export async function findOwner(registry: Registry): Promise<ObjectStoreOwner> {
  const { store, objects } = registry;
  const found = await loadIdentity(store, () => registry.newId());
  const owner = await objects.getOwner();
  const { is_shared } = objects;
  const decision = decideOwner({ store: found, owner, is_shared, watched: undefined });
  return { decision, identity: found.identity, owner };
}

/**
 * Assigns an object store to the database. The database gets a new identity first, so that a copy of it can no longer
 * write there.
 */
export async function adoptObjectStore(
  registry: Registry,
  { identity: former, owner }: ObjectStoreOwner,
): Promise<string> {
  const { store, objects } = registry;
  const auditContext = systemAuditContext(registry, 'adopt-bucket');
  const { identity } = await store.transaction(async (writes) => {
    const renewed = await writes.identity.renew(former, registry.newId());
    await writes.audit.append(ONLY_TENANT, [
      buildAuditRecord(auditContext, 'object_store.adopted', {
        identity: renewed.identity,
        ...(owner === undefined ? {} : { former_owner: owner }),
      }),
    ]);
    return renewed;
  });
  await objects.setOwner(identity, { replace: true });
  await store.transaction((writes) => writes.identity.claimObjectStore(identity));
  return identity;
}
