import { z } from 'zod';

/** Members of a response from the cache (CACHE-01). */
export const offline = {
  status: z
    .literal('offline')
    .optional()
    .describe('The registry is unreachable: this is the last response from it.'),
  served_from_cache: z.literal(true).optional(),
};
