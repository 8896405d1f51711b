import { z } from 'zod';
import { count } from './formats.ts';

/** Result of embedding artifacts again (ADMIN-02). */
export const reembedResult = z.strictObject({
  total: count,
  succeeded: count,
  failed: count,
  failures: z.array(
    z.strictObject({ artifact_id: z.string(), version: z.string(), reason: z.string() }),
  ),
});
export type ReembedResult = z.infer<typeof reembedResult>;

/** Job that embeds artifacts again after the request has ended. An addition of catalog to the specification. */
export const reembedJob = z.strictObject({
  job: z.string(),
  state: z.enum(['running', 'done']),
  created_at: z.string(),
  ...reembedResult.shape,
  remaining: count,
});
export type ReembedJob = z.infer<typeof reembedJob>;
