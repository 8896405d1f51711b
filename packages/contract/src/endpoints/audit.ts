import { z } from 'zod';
import { MAX_AUDIT_PAGE } from '../limits.ts';
import { auditPage, readPage } from '../records/audit.ts';
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

/** Addition to the specification. */
export const listReads = defineEndpoint({
  name: 'list_reads',
  methods: ['GET'],
  path: '/v1/admin/audit/reads',
  summary: 'Lists reads of artifacts, newest first: at most one per caller, version and minute.',
  access: 'admin',
  writes: false,
  query: z.strictObject({
    artifact: text.default('').meta({
      description: 'Only reads of this artifact.',
      examples: ['ops/deploy'],
    }),
    version: text.optional().describe('Only reads of this version.'),
    caller: text
      .default('')
      .meta({ description: 'Only reads of this caller.', examples: ['alice'] }),
    type: text.optional().meta({
      description: 'Only records of these types, separated by commas.',
      examples: ['artifact.loaded'],
    }),
    since: z.iso.datetime({ offset: true }).optional().describe('Only reads from this time on.'),
    until: z.iso.datetime({ offset: true }).optional().describe('Only reads before this time.'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(MAX_AUDIT_PAGE)
      .default(PAGE_DEFAULT)
      .describe('Maximum number of records.'),
    cursor: text.optional().describe('`next_cursor` of the previous page.'),
  }),
  responses: { 200: readPage },
  errors: ['auth.forbidden'],
});

export const auditEndpoints: readonly Endpoint[] = [listAudit, listReads];
