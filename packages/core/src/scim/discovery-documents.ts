import type { ResourceType, Schema, ScimObject } from './attribute.ts';
import { GROUP_TYPE } from './group-type.ts';
import { MAX_RESULTS } from './list-query.ts';
import { USER_TYPE } from './user-type.ts';

export const SCIM_PATH = '/scim/v2';

const META = 'urn:ietf:params:scim:schemas:core:2.0';

/** Returns the supported features (RFC 7643, section 5). `base` is the complete URL. */
export function serviceProviderConfig(base: string): ScimObject {
  return {
    schemas: [`${META}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token from the configuration of the registry.',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${base}/ServiceProviderConfig`,
    },
  };
}

export function schemaDocuments(base: string): ScimObject[] {
  return [USER_TYPE, GROUP_TYPE]
    .flatMap(({ schema, extensions }) => [schema, ...extensions])
    .map((schema) => describeSchema(schema, base));
}

export function resourceTypeDocuments(base: string): ScimObject[] {
  return [USER_TYPE, GROUP_TYPE].map((type) => describeType(type, base));
}

function describeSchema(schema: Schema, base: string): ScimObject {
  const { id, name, description } = schema;
  const attributes: ScimObject[] = JSON.parse(JSON.stringify(schema.attributes));
  return {
    schemas: [`${META}:Schema`],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

function describeType(type: ResourceType, base: string): ScimObject {
  const { name, description, endpoint, schema, extensions } = type;
  return {
    schemas: [`${META}:ResourceType`],
    id: name,
    name,
    description,
    endpoint,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  };
}
