import { z } from 'zod';
import { reembedJob, reembedResult } from '../records/reembed.ts';
import { flag, text } from './arguments.ts';
import { defineEndpoint } from './endpoint.ts';

export const reembed = defineEndpoint({
  name: 'reembed',
  methods: ['POST'],
  path: '/v1/admin/reembed',
  summary: 'Makes the vectors of artifacts again and answers what came of it.',
  access: 'admin',
  writes: true,
  query: z.strictObject({
    artifact: text
      .default('')
      .describe('Only this artifact; needs `version`. Without any, every artifact.'),
    version: text.default('').describe('The version of `artifact`.'),
    only_missing: flag.describe('Only artifacts without a current vector.'),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Only artifacts ingested at this time or later. Combines with `only_missing`.'),
    wait: z
      .enum(['true', 'false'])
      .default('true')
      .describe('`false` answers at once with the job (an addition).'),
  }),
  responses: { 200: reembedResult, 202: reembedJob },
  errors: ['auth.forbidden', 'registry.invalid_argument', 'registry.not_found'],
});

/** An addition. */
export const getReembed = defineEndpoint({
  name: 'get_reembed',
  methods: ['GET'],
  path: '/v1/admin/reembed/{job}',
  summary: 'How far a request to make vectors again has come.',
  access: 'admin',
  writes: false,
  params: z.strictObject({ job: text.min(1).describe('The job, as it was answered.') }),
  responses: { 200: reembedJob },
  errors: ['auth.forbidden', 'registry.not_found'],
});
