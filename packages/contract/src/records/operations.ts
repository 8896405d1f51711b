import { z } from 'zod';

export const health = z.strictObject({ mode: z.enum(['ready', 'read_only', 'public']) });
export type Health = z.infer<typeof health>;

/** Dependencies without which a registry still serves requests (SPEC-79). */
export const DEGRADABLE_PARTS = [
  'object_store',
  'identity_provider',
  'embedding_provider',
  'git_host',
] as const;
export type DegradablePart = (typeof DEGRADABLE_PARTS)[number];

export const readiness = z.strictObject({
  mode: z.enum(['ready', 'read_only', 'not_ready']),
  replication_lag_seconds: z.number(),
  degraded: z
    .array(z.enum(DEGRADABLE_PARTS))
    .min(1)
    .optional()
    .describe('Dependencies that are unavailable to this process; absent if there are none.'),
});
export type Readiness = z.infer<typeof readiness>;
