import { z } from 'zod';
import {
  SCIM_MEDIA_TYPE,
  scimDocument,
  scimGroup,
  scimList,
  scimPatch,
  scimSearch,
  scimUser,
} from '../records/scim.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

const scim = {
  access: 'scim',
  media_type: SCIM_MEDIA_TYPE,
  open_query: true,
  errors: ['auth.untrusted_token', 'auth.tenant_unknown', 'registry.not_found'],
} as const;

const projection = {
  attributes: z.string().optional().describe('Attributes to return, separated by commas.'),
  excludedAttributes: z
    .string()
    .optional()
    .describe('Attributes to leave out, separated by commas.'),
};
const listing = z.looseObject({
  filter: z
    .string()
    .optional()
    .meta({
      description: 'SCIM filter expression.',
      examples: ['userName eq "alice@example.com"'],
    }),
  startIndex: z.string().optional().describe('1-based index of the first result.'),
  count: z.string().optional().describe('Number of results per page; maximum 200.'),
  ...projection,
});
const shown = z.looseObject(projection);
const byId = z.strictObject({ id: z.string().describe('Resource id.') });

export const scimProvider = defineEndpoint({
  ...scim,
  name: 'scim_provider',
  methods: ['GET'],
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'Returns the SCIM features this service supports.',
  writes: false,
  responses: { 200: scimDocument },
});

export const scimSchemas = defineEndpoint({
  ...scim,
  name: 'scim_schemas',
  methods: ['GET'],
  path: '/scim/v2/Schemas',
  summary: 'Lists the schemas of users and groups.',
  writes: false,
  responses: { 200: scimList },
});

export const scimSchema = defineEndpoint({
  ...scim,
  name: 'scim_schema',
  methods: ['GET'],
  path: '/scim/v2/Schemas/{id}',
  summary: 'Returns one schema.',
  writes: false,
  params: byId,
  responses: { 200: scimDocument },
});

export const scimResourceTypes = defineEndpoint({
  ...scim,
  name: 'scim_resource_types',
  methods: ['GET'],
  path: '/scim/v2/ResourceTypes',
  summary: 'Lists the resource types.',
  writes: false,
  responses: { 200: scimList },
});

export const scimResourceType = defineEndpoint({
  ...scim,
  name: 'scim_resource_type',
  methods: ['GET'],
  path: '/scim/v2/ResourceTypes/{id}',
  summary: 'Returns one resource type.',
  writes: false,
  params: byId,
  responses: { 200: scimDocument },
});

export const searchScim = defineEndpoint({
  ...scim,
  name: 'scim_search',
  methods: ['POST'],
  path: '/scim/v2/.search',
  summary: 'Searches users and groups with a request body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const listScimUsers = defineEndpoint({
  ...scim,
  name: 'scim_list_users',
  methods: ['GET'],
  path: '/scim/v2/Users',
  summary: 'Lists the provisioned users.',
  writes: false,
  query: listing,
  responses: { 200: scimList },
});

export const createScimUser = defineEndpoint({
  ...scim,
  name: 'scim_create_user',
  methods: ['POST'],
  path: '/scim/v2/Users',
  summary: 'Provisions a user.',
  writes: true,
  query: shown,
  body: scimUser.partial(),
  responses: { 201: scimUser },
});

export const searchScimUsers = defineEndpoint({
  ...scim,
  name: 'scim_search_users',
  methods: ['POST'],
  path: '/scim/v2/Users/.search',
  summary: 'Searches the provisioned users with a request body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const getScimUser = defineEndpoint({
  ...scim,
  name: 'scim_get_user',
  methods: ['GET'],
  path: '/scim/v2/Users/{id}',
  summary: 'Returns a user.',
  writes: false,
  params: byId,
  query: shown,
  responses: { 200: scimUser, 304: null },
});

export const replaceScimUser = defineEndpoint({
  ...scim,
  name: 'scim_replace_user',
  methods: ['PUT'],
  path: '/scim/v2/Users/{id}',
  summary: 'Replaces a user.',
  writes: true,
  params: byId,
  query: shown,
  body: scimUser.partial(),
  responses: { 200: scimUser },
});

export const patchScimUser = defineEndpoint({
  ...scim,
  name: 'scim_patch_user',
  methods: ['PATCH'],
  path: '/scim/v2/Users/{id}',
  summary: 'Updates a user; applies all operations or none.',
  writes: true,
  params: byId,
  query: shown,
  body: scimPatch,
  responses: { 200: scimUser },
});

export const deleteScimUser = defineEndpoint({
  ...scim,
  name: 'scim_delete_user',
  methods: ['DELETE'],
  path: '/scim/v2/Users/{id}',
  summary: 'Deletes a user and revokes access immediately.',
  writes: true,
  params: byId,
  responses: { 204: null },
});

export const listScimGroups = defineEndpoint({
  ...scim,
  name: 'scim_list_groups',
  methods: ['GET'],
  path: '/scim/v2/Groups',
  summary: 'Lists the provisioned groups.',
  writes: false,
  query: listing,
  responses: { 200: scimList },
});

export const createScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_create_group',
  methods: ['POST'],
  path: '/scim/v2/Groups',
  summary: 'Provisions a group.',
  writes: true,
  query: shown,
  body: scimGroup.partial(),
  responses: { 201: scimGroup },
});

export const searchScimGroups = defineEndpoint({
  ...scim,
  name: 'scim_search_groups',
  methods: ['POST'],
  path: '/scim/v2/Groups/.search',
  summary: 'Searches the provisioned groups with a request body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const getScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_get_group',
  methods: ['GET'],
  path: '/scim/v2/Groups/{id}',
  summary: 'Returns a group.',
  writes: false,
  params: byId,
  query: shown,
  responses: { 200: scimGroup, 304: null },
});

export const replaceScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_replace_group',
  methods: ['PUT'],
  path: '/scim/v2/Groups/{id}',
  summary: 'Replaces a group.',
  writes: true,
  params: byId,
  query: shown,
  body: scimGroup.partial(),
  responses: { 200: scimGroup },
});

export const patchScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_patch_group',
  methods: ['PATCH'],
  path: '/scim/v2/Groups/{id}',
  summary:
    'Updates a group; applies all operations or none. Returns the group if `attributes` is given.',
  writes: true,
  params: byId,
  query: shown,
  body: scimPatch,
  responses: { 200: scimGroup, 204: null },
});

export const deleteScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_delete_group',
  methods: ['DELETE'],
  path: '/scim/v2/Groups/{id}',
  summary: 'Deletes a group.',
  writes: true,
  params: byId,
  responses: { 204: null },
});

export const scimEndpoints: readonly Endpoint[] = [
  scimProvider,
  scimSchemas,
  scimSchema,
  scimResourceTypes,
  scimResourceType,
  searchScim,
  listScimUsers,
  createScimUser,
  searchScimUsers,
  getScimUser,
  replaceScimUser,
  patchScimUser,
  deleteScimUser,
  listScimGroups,
  createScimGroup,
  searchScimGroups,
  getScimGroup,
  replaceScimGroup,
  patchScimGroup,
  deleteScimGroup,
];
