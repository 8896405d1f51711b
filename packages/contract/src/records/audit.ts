import { z } from 'zod';
import { count } from './formats.ts';

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
