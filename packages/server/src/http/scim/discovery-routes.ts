import * as endpoints from '@catalog/contract/endpoints/scim';
import type { ScimObject } from '@catalog/core/scim/attribute';
import {
  resourceTypeDocuments,
  schemaDocuments,
  serviceProviderConfig,
} from '@catalog/core/scim/discovery-documents';
import { ScimError } from '@catalog/core/scim/scim-error';
import { directoryUrl } from '../../registry/directory/show-resource.ts';
import { defineRoute, type Call, type Reply, type Route } from '../route.ts';
import { readArguments, scimReply } from './scim-call.ts';
import type { ScimAuthority } from './scim-authority.ts';

export function discoveryRoutes(authority: ScimAuthority): Route[] {
  const admit = ({ registry, header }: Pick<Call, 'registry' | 'header'>): Promise<unknown> =>
    authority.admit(registry, header('authorization'));
  return [
    defineRoute(endpoints.scimProvider, async (call) => {
      await admit(call);
      return scimReply(serviceProviderConfig(directoryUrl(call.registry)));
    }),
    defineRoute(endpoints.scimSchemas, async (call) => {
      await admit(call);
      return listAll(call, schemaDocuments(directoryUrl(call.registry)));
    }),
    defineRoute(endpoints.scimSchema, async (call) => {
      await admit(call);
      return findOne(call.params.id, schemaDocuments(directoryUrl(call.registry)));
    }),
    defineRoute(endpoints.scimResourceTypes, async (call) => {
      await admit(call);
      return listAll(call, resourceTypeDocuments(directoryUrl(call.registry)));
    }),
    defineRoute(endpoints.scimResourceType, async (call) => {
      await admit(call);
      return findOne(call.params.id, resourceTypeDocuments(directoryUrl(call.registry)));
    }),
  ];
}

/** Responds with a whole list. Filters are not supported here (RFC 7644, section 4). */
function listAll(call: Pick<Call, 'search'>, documents: readonly ScimObject[]): Reply {
  if (readArguments(call).has('filter')) {
    throw new ScimError(403, 'Service provider configuration resources cannot be filtered.');
  }
  return scimReply({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: documents.length,
    startIndex: 1,
    itemsPerPage: documents.length,
    Resources: [...documents],
  });
}

function findOne(id: string, documents: readonly ScimObject[]): Reply {
  const found = documents.find((document) => document['id'] === id);
  if (found === undefined) throw new ScimError(404, 'Not found.');
  return scimReply(found);
}
