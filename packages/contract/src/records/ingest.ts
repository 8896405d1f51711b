import { z } from 'zod';
import { errorEnvelope } from '../errors/envelope.ts';
import { count, timestamp } from './formats.ts';
import { ingestConflict, ingestRemark } from './ingest-remark.ts';

/** Report of an ingest (SPEC-19). */
export const ingestReport = z.strictObject({
  job: z.string(),
  layer: z.string(),
  /** Git commit; empty for a folder. */
  reference: z.string(),
  accepted: count,
  /** Number of versions that already existed with the same content. */
  idempotent: count,
  removed: count,
  conflicts: z.array(ingestConflict),
  lint_failures: z.array(ingestRemark),
  rejected: z.array(ingestRemark),
  embedding_failures: z.array(ingestRemark),
  advisories: z.array(ingestRemark),
});
export type IngestReport = z.infer<typeof ingestReport>;

export const INGEST_TRIGGERS = [
  'register',
  'reingest',
  'webhook',
  'poll',
  'files',
  'start',
  'retry',
  'update',
  'restore',
] as const;
export type IngestTrigger = (typeof INGEST_TRIGGERS)[number];

export const ingestJob = z.strictObject({
  job: z.string(),
  layer: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  trigger: z.enum(INGEST_TRIGGERS),
  progress: z.strictObject({ phase: z.string(), done: count, total: count }),
  attempts: count,
  created_at: timestamp,
  started_at: timestamp.optional(),
  finished_at: timestamp.optional(),
  report: ingestReport.optional(),
  error: errorEnvelope.optional(),
});
export type IngestJob = z.infer<typeof ingestJob>;

export const ingestJobs = z.strictObject({ ingests: z.array(ingestJob) });
export type IngestJobs = z.infer<typeof ingestJobs>;

export const acceptedIngest = z.strictObject({ job: z.string(), layer: z.string() });
export type AcceptedIngest = z.infer<typeof acceptedIngest>;
