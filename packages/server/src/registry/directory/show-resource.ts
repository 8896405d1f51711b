import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ScimObject } from '@catalog/core/scim/attribute';
import { SCIM_PATH } from '@catalog/core/scim/discovery-documents';
import type { Projection } from '@catalog/core/scim/list-query';
import { project, includesAttribute } from '@catalog/core/scim/project';
import type { Registry } from '../registry.ts';
import { notFound, versionTag, type DirectoryCall } from './directory-call.ts';

export function directoryUrl({ settings }: Registry): string {
  return `${settings.public_url}${SCIM_PATH}`;
}

export async function loadResource(
  registry: Registry,
  { tenant, type }: DirectoryCall,
  id: string,
): Promise<DirectoryResource> {
  const resource = await registry.store.directory.get(tenant, type.name, id);
  if (resource === undefined) throw notFound(type);
  return resource;
}

/** Returns a user or group. Members of a group are read only if the response contains them. */
export async function showResource(
  registry: Registry,
  { tenant, type }: DirectoryCall,
  resource: DirectoryResource,
  projection: Projection,
): Promise<ScimObject> {
  const hasMembers = type.name === 'Group' && includesAttribute(type, 'members', projection);
  const members = hasMembers ? await registry.store.directory.listMembers(tenant, resource.id) : [];
  return project(type, toDocument(registry, { tenant, type }, resource, members), projection);
}

export function toDocument(
  registry: Registry,
  { type }: Pick<DirectoryCall, 'tenant' | 'type'>,
  resource: DirectoryResource,
  members: readonly string[],
): ScimObject {
  const base = directoryUrl(registry);
  const { id, attributes, created_at, modified_at } = resource;
  const extensions = type.extensions.filter((one) => attributes[one.id] !== undefined);
  return {
    schemas: [type.schema.id, ...extensions.map((one) => one.id)],
    id,
    ...attributes,
    ...(members.length === 0
      ? {}
      : {
          members: members.map((value) => ({
            value,
            $ref: `${base}/Users/${value}`,
            type: 'User',
          })),
        }),
    meta: {
      resourceType: type.name,
      created: created_at,
      lastModified: modified_at,
      location: `${base}${type.endpoint}/${id}`,
      version: versionTag(resource),
    },
  };
}
