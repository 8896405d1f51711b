import { z } from 'zod';

export const ingestRemark = z.strictObject({
  artifact_id: z.string(),
  code: z.string(),
  reason: z.string(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  fix: z.string().optional(),
});
export type IngestRemark = z.infer<typeof ingestRemark>;

/** Version that was already stored with other content. */
export const ingestConflict = z.strictObject({
  artifact_id: z.string(),
  version: z.string(),
  old_hash: z.string(),
  new_hash: z.string(),
  code: z.literal('ingest.immutable_violation'),
  /** Absent if the content of the version changed. Addition to the specification. */
  constraint: z
    .literal('purged')
    .optional()
    .describe('`purged`: an administrator deleted this version.'),
});
