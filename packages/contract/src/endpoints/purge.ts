import { purgeBody, purgeResult } from '../records/purge.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

export const purge = defineEndpoint({
  name: 'purge',
  methods: ['POST'],
  path: '/v1/admin/purge',
  summary: 'Deletes the content of an artifact or version from the registry.',
  access: 'admin',
  writes: true,
  body: purgeBody,
  responses: { 200: purgeResult },
  errors: ['auth.forbidden', 'registry.not_found', 'ingest.resource_store_failed'],
});

export const purgeEndpoints: readonly Endpoint[] = [purge];
