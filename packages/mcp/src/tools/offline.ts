import { z } from 'zod';

/** Beside an answer that did not come from the registry just now (CACHE-01). */
export const offline = {
  status: z
    .literal('offline')
    .optional()
    .describe('The registry could not be reached: this is what was seen of it before.'),
  served_from_cache: z.literal(true).optional(),
};
