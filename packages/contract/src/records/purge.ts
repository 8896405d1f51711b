import { z } from 'zod';
import { count } from './formats.ts';

const text = z.string().min(1).max(512);

export const purgeBody = z.strictObject({
  id: text.describe('Artifact id.'),
  version: z.string().max(128).optional().describe('Exact version; absent for every version.'),
  layer: z.string().max(128).optional().describe('Layer id; absent for every layer.'),
  reason: z.string().trim().min(1).max(4096).describe('Reason, for the audit log.'),
  dry_run: z.boolean().optional().describe('Return what would be removed, and remove nothing.'),
});
export type PurgeBody = z.input<typeof purgeBody>;

const version = z.strictObject({ layer: z.string(), id: z.string(), version: z.string() });

export const purgeResult = z.strictObject({
  dry_run: z.boolean(),
  purged: z.array(version.extend({ content_hash: z.string() })),
  children: z
    .array(version.extend({ content_hash: z.string(), parent: z.string() }))
    .describe('Versions that contained the content through `extends`, and were purged with it.'),
  now_served: z
    .array(version)
    .describe('Earlier versions that are now the latest ones of their artifacts.'),
  shared_files: z
    .array(version.extend({ content_hash: z.string() }))
    .describe('Other versions that hold a file of the purged ones. Their copies stay.'),
  objects_removed: count.describe('Files removed from the object store, with all their versions.'),
});
export type PurgeResult = z.infer<typeof purgeResult>;
