import { z } from 'zod';
import { MAX_AUDIT_PAGE } from '../limits.ts';
import { auditPage } from '../records/audit.ts';
import { text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

const PAGE_DEFAULT = 100;

/** An addition of catalog to the specification. */
export const listAudit = defineEndpoint({
  name: 'list_audit',
  methods: ['GET'],
  path: '/v1/admin/audit',
  summary: 'Lists records of the audit log of the tenant.',
  access: 'admin',
  writes: false,
  query: z.strictObject({
    type: text.optional().meta({
      description: 'Only records of these types, separated by commas.',
      examples: ['layer.config_changed'],
    }),
    caller: text
      .optional()
      .meta({ description: 'Only records of this caller.', examples: ['alice'] }),
    layer: text
      .optional()
      .meta({ description: 'Only records about this layer.', examples: ['ops'] }),
    since: z.iso.datetime({ offset: true }).optional().describe('Only records from this time on.'),
    until: z.iso.datetime({ offset: true }).optional().describe('Only records before this time.'),
    order: z.enum(['newest', 'oldest']).default('newest').describe('The record to start with.'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(MAX_AUDIT_PAGE)
      .default(PAGE_DEFAULT)
      .describe('Maximum number of records.'),
    cursor: text.optional().describe('`next_cursor` of the previous page.'),
  }),
  responses: { 200: auditPage },
  errors: ['auth.forbidden'],
});

export const auditEndpoints: readonly Endpoint[] = [listAudit];
