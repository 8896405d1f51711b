import { z } from 'zod';
import { reembedJob, reembedResult } from '../records/reembed.ts';
import { flag, text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

export const reembed = defineEndpoint({
  name: 'reembed',
  methods: ['POST'],
  path: '/v1/admin/reembed',
  summary: 'Rebuilds the embeddings of artifacts and returns the result.',
  access: 'admin',
  writes: true,
  query: z.strictObject({
    artifact: text
      .default('')
      .describe('Rebuild only this artifact; requires `version`. Defaults to every artifact.'),
    version: text.default('').describe('Version of `artifact`.'),
    only_missing: flag.describe('Rebuild only artifacts without a current embedding.'),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'Rebuild only artifacts ingested at or after this time. Can be combined with `only_missing`.',
      ),
    wait: z
      .enum(['true', 'false'])
      .default('true')
      .describe('`false` returns the job immediately (an addition).'),
  }),
  responses: { 200: reembedResult, 202: reembedJob },
  errors: ['auth.forbidden', 'registry.invalid_argument', 'registry.not_found'],
});

/** An addition of catalog to the specification. */
export const getReembed = defineEndpoint({
  name: 'get_reembed',
  methods: ['GET'],
  path: '/v1/admin/reembed/{job}',
  summary: 'Returns the progress of a re-embedding job.',
  access: 'admin',
  writes: false,
  params: z.strictObject({
    job: text.min(1).describe('Job id from the response that started the job.'),
  }),
  responses: { 200: reembedJob },
  errors: ['auth.forbidden', 'registry.not_found'],
});

export const searchIndexEndpoints: readonly Endpoint[] = [reembed, getReembed];
