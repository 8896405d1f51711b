import { z } from 'zod';
import { MAX_USAGE_DAYS, PAGE_DEFAULT, PAGE_MAX } from '../limits.ts';
import { artifactUsage, popularResponse } from '../records/usage.ts';
import { artifactArgument, text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

/** Addition to the specification. */
export const popular = defineEndpoint({
  name: 'popular',
  methods: ['GET'],
  path: '/v1/usage',
  summary: 'Lists visible artifacts by their number of loads and syncs in the last 30 days.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(PAGE_MAX)
      .default(PAGE_DEFAULT)
      .describe('Maximum number of artifacts.'),
    cursor: text.default('').describe('`next_cursor` of the previous page.'),
  }),
  responses: { 200: popularResponse },
  errors: [],
});

/** Addition to the specification. */
export const getArtifactUsage = defineEndpoint({
  name: 'artifact_usage',
  methods: ['GET'],
  path: '/v1/usage/artifact',
  summary: 'Returns the loads and syncs of a visible artifact, by version and day.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    id: artifactArgument,
    days: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(MAX_USAGE_DAYS)
      .default(30)
      .describe('Number of days, including today.'),
  }),
  responses: { 200: artifactUsage },
  errors: ['registry.not_found'],
});

export const usageEndpoints: readonly Endpoint[] = [popular, getArtifactUsage];
