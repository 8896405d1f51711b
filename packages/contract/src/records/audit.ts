import { z } from 'zod';
import { count, timestamp } from './formats.ts';

/** Audit record, flat with dotted keys (SPEC-31). */
export const auditRecord = z
  .object({
    type: z.string().describe('Kind of fact, such as `layer.config_changed`.'),
    timestamp: z.string().describe('Time of the fact in UTC.'),
    trace_id: z.string().describe('Trace of the request or task that caused it.'),
    'caller.identity': z
      .string()
      .describe('Subject of the caller, or a name under `system:` if there is none.'),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]));

export const auditPage = z.strictObject({
  records: z.array(
    z.strictObject({
      position: count.describe('Number of the record in the log of the tenant.'),
      record: auditRecord,
    }),
  ),
  next_cursor: z
    .string()
    .optional()
    .describe('Cursor of the next page; absent at the end of the log. A page can be empty.'),
});
export type AuditPage = z.infer<typeof auditPage>;
export type AuditEntry = AuditPage['records'][number];

/** Addition to the specification. Flat, with dotted keys, like an audit record. */
export const readEntry = z.strictObject({
  position: count.describe('Number of the read in the read log of the tenant.'),
  record: z.strictObject({
    type: z.enum(['artifact.loaded', 'manifest.synced', 'catalog.searched', 'request.refused']),
    timestamp: timestamp.describe('Start of the minute, in UTC.'),
    'caller.identity': z
      .string()
      .describe('Subject of the caller, or a name under `system:` if there is none.'),
    'caller.kind': z.string(),
    commitment: z.string().describe('SHA-256 of a salt and the subject, which an erasure keeps.'),
    artifact: z.string().optional().describe('Id, or `[redacted]` (`audit_redact`).'),
    version: z.string().optional(),
    layer: z.string().optional(),
    name: z.string().optional(),
    tags: z.array(z.string()).optional(),
    query: z.string().optional().describe('Query of a search, after `pii_redaction`.'),
    operation: z.string().optional().describe('Operation that the registry refused.'),
  }),
});
export type ReadEntry = z.infer<typeof readEntry>;

export const readPage = z.strictObject({
  records: z.array(readEntry),
  next_cursor: z
    .string()
    .optional()
    .describe('Cursor of the next page; absent at the end of the log. A page can be empty.'),
});
export type ReadPage = z.infer<typeof readPage>;
