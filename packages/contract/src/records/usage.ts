import { z } from 'zod';
import { artifactEntry } from './discovery.ts';
import { count } from './formats.ts';

const day = z.iso.date().describe('Day in UTC.');

/** Addition to the specification. */
export const popularResponse = z.strictObject({
  days: count.describe('Number of days that the counts cover.'),
  artifacts: z.array(
    artifactEntry.extend({ uses: count.describe('Loads and syncs by all callers.') }),
  ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type PopularResponse = z.infer<typeof popularResponse>;

/** Addition to the specification. */
export const artifactUsage = z.strictObject({
  id: z.string(),
  since: day,
  loads: count.describe('Single loads, such as those of agents and of the web UI.'),
  syncs: count.describe('Loads in a batch, such as those of `catalog sync`.'),
  days: z
    .array(
      z.strictObject({ day, version: z.string(), layer: z.string(), loads: count, syncs: count }),
    )
    .describe('Newest day first.'),
});
export type ArtifactUsage = z.infer<typeof artifactUsage>;
