import { z } from 'zod';

/** Media type of SCIM; requests may also use plain JSON. */
export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** SCIM resource, with the names of RFC 7643 and RFC 7644 (SPEC-60). */
const resource = z.looseObject({
  schemas: z.array(z.string()),
  id: z.string(),
  meta: z.looseObject({ resourceType: z.string(), location: z.string() }).optional(),
});

export const scimUser = resource
  .extend({ userName: z.string().optional(), active: z.boolean().optional() })
  .describe('A user (RFC 7643, section 4.1), with the enterprise extension.');

export const scimGroup = resource
  .extend({
    displayName: z.string().optional(),
    members: z.array(z.looseObject({ value: z.string() })).optional(),
  })
  .describe('A group (RFC 7643, section 4.2).');

export const scimList = z
  .looseObject({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(z.looseObject({})),
  })
  .describe('A page of the requested resources (RFC 7644, section 3.4.2).');

export const scimDocument = z
  .looseObject({ schemas: z.array(z.string()) })
  .describe('The features and schemas this service supports (RFC 7643, sections 5 to 7).');

export const scimPatch = z
  .looseObject({
    schemas: z.array(z.string()),
    Operations: z.array(
      z.looseObject({ op: z.string(), path: z.string().optional(), value: z.unknown() }),
    ),
  })
  .describe('A patch request (RFC 7644, section 3.5.2).');

export const scimSearch = z
  .looseObject({
    filter: z.string().optional(),
    startIndex: z.int().optional(),
    count: z.int().optional(),
    attributes: z.array(z.string()).optional(),
    excludedAttributes: z.array(z.string()).optional(),
  })
  .describe('A search request with a body (RFC 7644, section 3.4.3).');

export const scimError = z
  .strictObject({
    schemas: z.tuple([z.literal('urn:ietf:params:scim:api:messages:2.0:Error')]),
    status: z.string(),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .describe('An error (RFC 7644, section 3.12); `detail` includes the catalog error code.');
