import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ResourceType } from '@catalog/core/scim/attribute';
import { readListQuery, readProjection } from '@catalog/core/scim/list-query';
import { createResource } from '../../registry/directory/create-resource.ts';
import { deleteResource } from '../../registry/directory/delete-resource.ts';
import { versionTag, type DirectoryCall } from '../../registry/directory/directory-call.ts';
import { listResources, searchResources } from '../../registry/directory/list-resources.ts';
import { loadResource, showResource } from '../../registry/directory/show-resource.ts';
import {
  patchResource,
  replaceResource,
  type DirectoryUpdate,
} from '../../registry/directory/update-resource.ts';
import { matchesEtag } from '../matches-etag.ts';
import type { Call, Reply } from '../route.ts';
import {
  admitDirectory,
  readArguments,
  readBodyArguments,
  readScimBody,
  resourceHeaders,
  scimReply,
} from './scim-call.ts';
import type { ScimAuthority } from './scim-authority.ts';

export type ScimHandler = (
  authority: ScimAuthority,
  type: ResourceType,
  call: Call,
) => Promise<Reply>;

export const handleList: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const query = readListQuery(readArguments(call));
  return scimReply(await listResources(call.registry, directory, query));
};

export const handleSearch: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const query = readListQuery(readBodyArguments(await readScimBody(call)));
  return scimReply(await listResources(call.registry, directory, query));
};

export async function handleSearchAll(
  authority: ScimAuthority,
  call: Pick<Call, 'registry' | 'context' | 'header' | 'readBytes'>,
): Promise<Reply> {
  const { registry, context } = call;
  const tenant = await authority.admit(registry, call.header('authorization'));
  const query = readListQuery(readBodyArguments(await readScimBody(call)));
  const { trace_id } = context;
  return scimReply(await searchResources(registry, { tenant, trace_id }, query));
}

export const handleGet: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const resource = await loadResource(call.registry, directory, idOf(call));
  const ETag = versionTag(resource);
  // The comparison ignores the prefix `W/` of weak tags.
  if (matchesEtag(call.header('if-none-match'), ETag.slice(2))) {
    return { kind: 'empty', status: 304, headers: { ETag } };
  }
  return respondWith(call, directory, resource, 200);
};

export const handleCreate: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const resource = await createResource(call.registry, directory, await readScimBody(call));
  return respondWith(call, directory, resource, 201);
};

export const handleReplace: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const resource = await replaceResource(call.registry, directory, await updateOf(call));
  return respondWith(call, directory, resource, 200);
};

/**
 * Handles a patch. The response contains a group only if the request selects attributes, because a group may be large.
 */
export const handlePatch: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const { attributes } = readProjection(readArguments(call));
  const resource = await patchResource(call.registry, directory, await updateOf(call));
  if (type.name === 'Group' && attributes === undefined) return { kind: 'empty', status: 204 };
  return respondWith(call, directory, resource, 200);
};

export const handleDelete: ScimHandler = async (authority, type, call) => {
  const directory = await admitDirectory(authority, call, type);
  const if_match = call.header('if-match');
  await deleteResource(call.registry, directory, { id: idOf(call), if_match });
  return { kind: 'empty', status: 204 };
};

async function respondWith(
  call: Call,
  directory: DirectoryCall,
  resource: DirectoryResource,
  status: number,
): Promise<Reply> {
  const projection = readProjection(readArguments(call));
  const document = await showResource(call.registry, directory, resource, projection);
  return scimReply(document, status, resourceHeaders(document, resource));
}

async function updateOf(call: Call): Promise<DirectoryUpdate> {
  return { id: idOf(call), if_match: call.header('if-match'), body: await readScimBody(call) };
}

function idOf({ params }: Call): string {
  const id = params?.['id'];
  if (typeof id !== 'string') throw new TypeError('a route without an id');
  return id;
}
