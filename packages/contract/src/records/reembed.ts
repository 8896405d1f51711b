import { z } from 'zod';
import { count } from './formats.ts';

/** ADMIN-02. */
export const reembedResult = z.strictObject({
  total: count,
  succeeded: count,
  failed: count,
  failures: z.array(
    z.strictObject({ artifact_id: z.string(), version: z.string(), reason: z.string() }),
  ),
});
export type ReembedResult = z.infer<typeof reembedResult>;

/** Reembedding job that continues after the request. Addition to the specification. */
export const reembedJob = z.strictObject({
  job: z.string(),
  state: z.enum(['running', 'done']),
  created_at: z.string(),
  ...reembedResult.shape,
  remaining: count,
});
export type ReembedJob = z.infer<typeof reembedJob>;
