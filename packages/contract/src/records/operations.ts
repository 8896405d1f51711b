import { z } from 'zod';

export const health = z.strictObject({ mode: z.enum(['ready', 'read_only', 'public']) });
export type Health = z.infer<typeof health>;

export const readiness = z.strictObject({
  mode: z.enum(['ready', 'read_only', 'not_ready']),
  replication_lag_seconds: z.number(),
});
export type Readiness = z.infer<typeof readiness>;
