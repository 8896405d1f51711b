import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ResourceType, ScimObject } from '@catalog/core/scim/attribute';
import { foldName } from '@catalog/core/scim/fold-name';
import { ScimError } from '@catalog/core/scim/scim-error';

export interface DirectoryCall {
  tenant: Tenant;
  trace_id: string;
  type: ResourceType;
}

/** Applies a SCIM resource. A deactivated user stays deactivated until a request sets `active`. */
export function describeResource(
  { name: kind, naming }: ResourceType,
  attributes: ScimObject,
  was_active: boolean,
): Pick<DirectoryResource, 'kind' | 'name' | 'name_key' | 'external_id' | 'active' | 'attributes'> {
  const { [naming]: name, externalId, active } = attributes;
  if (typeof name !== 'string') throw new TypeError(`a ${kind} without ${naming}`);
  return {
    kind,
    name,
    name_key: foldName(name),
    external_id: typeof externalId === 'string' && externalId !== '' ? externalId : null,
    active: typeof active === 'boolean' ? active : was_active,
    attributes,
  };
}

export function notFound({ name }: ResourceType): ScimError {
  return new ScimError(404, `${name} not found.`);
}

export function versionTag({ version }: Pick<DirectoryResource, 'version'>): string {
  return `W/"${version}"`;
}

export function requireVersion(
  resource: Pick<DirectoryResource, 'version'>,
  if_match: string | undefined,
): void {
  if (if_match === undefined || if_match.trim() === '*') return;
  const wanted = if_match.split(',').map((tag) => tag.trim());
  if (wanted.includes(versionTag(resource)) || wanted.includes(versionTag(resource).slice(2)))
    return;
  throw new ScimError(412, 'The resource was changed in the meantime. Read it again, then retry.');
}
