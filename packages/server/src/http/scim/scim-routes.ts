import * as endpoints from '@catalog/contract/endpoints/scim';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { ResourceType } from '@catalog/core/scim/attribute';
import { GROUP_TYPE } from '@catalog/core/scim/group-type';
import { USER_TYPE } from '@catalog/core/scim/user-type';
import { defineRoute, type Route } from '../route.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import {
  handleCreate,
  handleDelete,
  handleGet,
  handleList,
  handlePatch,
  handleReplace,
  handleSearch,
  handleSearchAll,
  type ScimHandler,
} from './handle-resource.ts';
import type { ScimAuthority } from './scim-authority.ts';

const TABLE: readonly (readonly [Endpoint, ResourceType, ScimHandler])[] = [
  [endpoints.listScimUsers, USER_TYPE, handleList],
  [endpoints.createScimUser, USER_TYPE, handleCreate],
  [endpoints.searchScimUsers, USER_TYPE, handleSearch],
  [endpoints.getScimUser, USER_TYPE, handleGet],
  [endpoints.replaceScimUser, USER_TYPE, handleReplace],
  [endpoints.patchScimUser, USER_TYPE, handlePatch],
  [endpoints.deleteScimUser, USER_TYPE, handleDelete],
  [endpoints.listScimGroups, GROUP_TYPE, handleList],
  [endpoints.createScimGroup, GROUP_TYPE, handleCreate],
  [endpoints.searchScimGroups, GROUP_TYPE, handleSearch],
  [endpoints.getScimGroup, GROUP_TYPE, handleGet],
  [endpoints.replaceScimGroup, GROUP_TYPE, handleReplace],
  [endpoints.patchScimGroup, GROUP_TYPE, handlePatch],
  [endpoints.deleteScimGroup, GROUP_TYPE, handleDelete],
];

export function scimRoutes(authority: ScimAuthority): Route[] {
  const resources = TABLE.map(([endpoint, type, handle]): Route => ({
    endpoint,
    handle: (call) => handle(authority, type, call),
  }));
  const search = defineRoute(endpoints.searchScim, (call) => handleSearchAll(authority, call));
  return [...discoveryRoutes(authority), search, ...resources];
}
