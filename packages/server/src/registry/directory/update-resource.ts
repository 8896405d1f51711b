import { isDeepStrictEqual } from 'node:util';
import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ScimObject, ScimValue } from '@catalog/core/scim/attribute';
import { applyPatch } from '@catalog/core/scim/apply-patch';
import type { MemberChange } from '@catalog/core/scim/members';
import { readPatch } from '@catalog/core/scim/read-patch';
import { readResource } from '@catalog/core/scim/read-resource';
import type { Registry } from '../registry.ts';
import {
  describeResource,
  notFound,
  requireVersion,
  type DirectoryCall,
} from './directory-call.ts';
import { changeMembers, recordChange, requireFreeName } from './write-resource.ts';

export interface DirectoryUpdate {
  id: string;
  /** Accepted ETags of the resource; if undefined, any. */
  if_match: string | undefined;
  body: ScimValue;
}

interface TargetState {
  attributes: ScimObject;
  members: readonly MemberChange[];
}

export async function replaceResource(
  registry: Registry,
  call: DirectoryCall,
  update: DirectoryUpdate,
): Promise<DirectoryResource> {
  const { attributes, members } = readResource(call.type, update.body);
  const isGroup = call.type.name === 'Group';
  return updateResource(registry, call, update, ({ active }) =>
    isGroup
      ? { attributes, members: [{ kind: 'set', ids: members }] }
      : { attributes: { active, ...attributes }, members: [] },
  );
}

/** Applies all operations of a patch, or none. */
export async function patchResource(
  registry: Registry,
  call: DirectoryCall,
  update: DirectoryUpdate,
): Promise<DirectoryResource> {
  const operations = readPatch(update.body);
  return updateResource(registry, call, update, ({ attributes }) =>
    applyPatch(call.type, attributes, operations),
  );
}

async function updateResource(
  registry: Registry,
  call: DirectoryCall,
  { id, if_match }: DirectoryUpdate,
  decide: (before: DirectoryResource) => TargetState,
): Promise<DirectoryResource> {
  const { tenant, type } = call;
  return registry.store.transaction(async (writes) => {
    const { directory } = writes;
    const before = await directory.get(tenant, type.name, id);
    if (before === undefined) throw notFound(type);
    requireVersion(before, if_match);
    const { attributes, members } = decide(before);
    const changed = await changeMembers(directory, tenant, id, members);
    if (changed.changed === 0 && isDeepStrictEqual(attributes, before.attributes)) return before;
    const after: DirectoryResource = {
      ...before,
      ...describeResource(type, attributes, before.active),
      modified_at: registry.now().toISOString(),
      version: before.version + 1,
    };
    await requireFreeName(directory, tenant, after);
    await directory.replace(tenant, after);
    await recordChange(registry, writes, call, 'changed', after, changed);
    return after;
  });
}
