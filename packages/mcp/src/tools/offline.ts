import { z } from 'zod';

/** Beside an answer that did not come from the registry just now (CACHE-01). */
export const offline = {
  status: z
    .literal('offline')
    .optional()
    .describe('The registry is unreachable: this is the last response from it.'),
  served_from_cache: z.literal(true).optional(),
};
