import type { DirectoryResource, DirectoryWrites } from '@catalog/core/ports/directory';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { MemberChange } from '@catalog/core/scim/members';
import { badRequest, ScimError } from '@catalog/core/scim/scim-error';
import { buildAuditRecord } from '../audit/build-record.ts';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import type { DirectoryCall } from './directory-call.ts';

/** Requires that no other resource has the name. The caller holds the tenant lock, so the result stays valid. */
export async function requireFreeName(
  directory: DirectoryWrites,
  tenant: Tenant,
  { kind, id, name_key }: Pick<DirectoryResource, 'kind' | 'id' | 'name_key'>,
): Promise<void> {
  const found = await directory.find(tenant, kind, { by: 'name_key', value: name_key });
  if (found.every((other) => other.id === id)) return;
  throw new ScimError(409, `Another ${kind} has this name.`, 'uniqueness');
}

export interface ChangedMembers {
  changed: number;
  added: readonly string[];
  removed: readonly string[];
}

/** Updates the members of a group. Writes only added and removed ones. */
export async function changeMembers(
  directory: DirectoryWrites,
  tenant: Tenant,
  group_id: string,
  changes: readonly MemberChange[],
): Promise<ChangedMembers> {
  let changed = 0;
  for (const { kind, ids } of changes) {
    if (kind === 'remove') {
      changed += await directory.removeMembers(tenant, group_id, ids);
      continue;
    }
    await requireUsers(directory, tenant, ids);
    changed +=
      kind === 'add'
        ? await directory.addMembers(tenant, group_id, ids)
        : await directory.setMembers(tenant, group_id, ids);
  }
  return {
    changed,
    added: changes.flatMap(({ kind, ids }) => (kind === 'remove' ? [] : ids)),
    removed: changes.flatMap(({ kind, ids }) => (kind === 'remove' ? ids : [])),
  };
}

async function requireUsers(
  directory: DirectoryWrites,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> {
  const [unknown] = await directory.listUnknownUsers(tenant, ids);
  if (unknown === undefined) return;
  throw badRequest(
    'invalidValue',
    `User not found: "${unknown.slice(0, 100)}". Push the user before the group.`,
  );
}

const MAX_LISTED_MEMBERS = 100;

export async function recordChange(
  registry: Registry,
  { audit }: StoreWrites,
  { tenant, trace_id }: DirectoryCall,
  change: 'created' | 'changed' | 'deleted',
  resource: DirectoryResource,
  members?: ChangedMembers,
): Promise<void> {
  const { kind, id, name, external_id, active, version } = resource;
  const auditContext = systemAuditContext(registry, 'scim', trace_id);
  const record = buildAuditRecord(auditContext, `directory.${kind.toLowerCase()}_${change}`, {
    'resource.id': id,
    'resource.name': name,
    'resource.version': version,
    ...(external_id === null ? {} : { 'resource.external_id': external_id }),
    ...(kind === 'User' ? { 'resource.active': active } : {}),
    ...(members === undefined || members.changed === 0 ? {} : memberFacts(members)),
  });
  await audit.append(tenant, [record]);
}

function memberFacts({ changed, added, removed }: ChangedMembers) {
  return {
    'members.changed': changed,
    'members.named_in': added.slice(0, MAX_LISTED_MEMBERS),
    'members.named_out': removed.slice(0, MAX_LISTED_MEMBERS),
  };
}
