import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ScimValue } from '@catalog/core/scim/attribute';
import { readResource } from '@catalog/core/scim/read-resource';
import type { Registry } from '../registry.ts';
import { describeResource, type DirectoryCall } from './directory-call.ts';
import { changeMembers, recordChange, requireFreeName } from './write-resource.ts';

export async function createResource(
  registry: Registry,
  call: DirectoryCall,
  body: ScimValue,
): Promise<DirectoryResource> {
  const { tenant, type } = call;
  const { attributes, members } = readResource(type, body);
  if (type.name === 'User') attributes['active'] ??= true;
  const now = registry.now().toISOString();
  const resource: DirectoryResource = {
    ...describeResource(type, attributes, true),
    id: registry.newId(),
    created_at: now,
    modified_at: now,
    version: 1,
  };
  await registry.store.transaction(async (writes) => {
    const { directory } = writes;
    await requireFreeName(directory, tenant, resource);
    await directory.create(tenant, resource);
    const changes = members.length === 0 ? [] : [{ kind: 'add' as const, ids: members }];
    const changed = await changeMembers(directory, tenant, resource.id, changes);
    await recordChange(registry, writes, call, 'created', resource, changed);
  });
  return resource;
}
