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
import { defineEndpoint } from './endpoint.ts';

/** What all of these have: a token of their own, a media type, and arguments that the receiver reads itself. */
const scim = {
  access: 'scim',
  media_type: SCIM_MEDIA_TYPE,
  open_query: true,
  errors: ['auth.untrusted_token', 'auth.tenant_unknown', 'registry.not_found'],
} as const;

const projection = {
  attributes: z.string().optional().describe('Attributes to answer, with commas between.'),
  excludedAttributes: z.string().optional().describe('Attributes to leave out.'),
};
const listing = z.looseObject({
  filter: z
    .string()
    .optional()
    .meta({ description: 'What to look for.', examples: ['userName eq "alice@example.com"'] }),
  startIndex: z.string().optional().describe('The first to answer; counts from 1.'),
  count: z.string().optional().describe('How many to answer; at most 200.'),
  ...projection,
});
const shown = z.looseObject(projection);
const byId = z.strictObject({ id: z.string().describe('The id of the resource.') });

export const scimProvider = defineEndpoint({
  ...scim,
  name: 'scim_provider',
  methods: ['GET'],
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What the receiver of the directory can do.',
  writes: false,
  responses: { 200: scimDocument },
});

export const scimSchemas = defineEndpoint({
  ...scim,
  name: 'scim_schemas',
  methods: ['GET'],
  path: '/scim/v2/Schemas',
  summary: 'The attributes of users and groups.',
  writes: false,
  responses: { 200: scimList },
});

export const scimSchema = defineEndpoint({
  ...scim,
  name: 'scim_schema',
  methods: ['GET'],
  path: '/scim/v2/Schemas/{id}',
  summary: 'The attributes of one schema.',
  writes: false,
  params: byId,
  responses: { 200: scimDocument },
});

export const scimResourceTypes = defineEndpoint({
  ...scim,
  name: 'scim_resource_types',
  methods: ['GET'],
  path: '/scim/v2/ResourceTypes',
  summary: 'The kinds of resource.',
  writes: false,
  responses: { 200: scimList },
});

export const scimResourceType = defineEndpoint({
  ...scim,
  name: 'scim_resource_type',
  methods: ['GET'],
  path: '/scim/v2/ResourceTypes/{id}',
  summary: 'One kind of resource.',
  writes: false,
  params: byId,
  responses: { 200: scimDocument },
});

export const searchScim = defineEndpoint({
  ...scim,
  name: 'scim_search',
  methods: ['POST'],
  path: '/scim/v2/.search',
  summary: 'Users and groups together; asked for in a body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const listScimUsers = defineEndpoint({
  ...scim,
  name: 'scim_list_users',
  methods: ['GET'],
  path: '/scim/v2/Users',
  summary: 'The users a directory has pushed.',
  writes: false,
  query: listing,
  responses: { 200: scimList },
});

export const createScimUser = defineEndpoint({
  ...scim,
  name: 'scim_create_user',
  methods: ['POST'],
  path: '/scim/v2/Users',
  summary: 'Pushes a user.',
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
  summary: 'The users a directory has pushed; asked for in a body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const getScimUser = defineEndpoint({
  ...scim,
  name: 'scim_get_user',
  methods: ['GET'],
  path: '/scim/v2/Users/{id}',
  summary: 'One user.',
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
  summary: 'Makes a user what the body says.',
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
  summary: 'Changes a user; all that the body says, or nothing.',
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
  summary: 'Deletes a user, who is nobody from then on.',
  writes: true,
  params: byId,
  responses: { 204: null },
});

export const listScimGroups = defineEndpoint({
  ...scim,
  name: 'scim_list_groups',
  methods: ['GET'],
  path: '/scim/v2/Groups',
  summary: 'The groups a directory has pushed.',
  writes: false,
  query: listing,
  responses: { 200: scimList },
});

export const createScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_create_group',
  methods: ['POST'],
  path: '/scim/v2/Groups',
  summary: 'Pushes a group.',
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
  summary: 'The groups a directory has pushed; asked for in a body.',
  writes: false,
  body: scimSearch,
  responses: { 200: scimList },
});

export const getScimGroup = defineEndpoint({
  ...scim,
  name: 'scim_get_group',
  methods: ['GET'],
  path: '/scim/v2/Groups/{id}',
  summary: 'One group.',
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
  summary: 'Makes a group what the body says.',
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
    'Changes a group; all that the body says, or nothing. Answers the group where `attributes` are asked for.',
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
