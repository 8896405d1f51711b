import { z } from 'zod';
import type { EventName } from './event-names.ts';
import { timestamp } from './records/formats.ts';

/** What an event's `data` carries: identifiers, never bodies or descriptions (SPEC-11). */
const eventData = {
  'artifact.published': z.strictObject({
    id: z.string(),
    version: z.string(),
    content_hash: z.string(),
    layer: z.string(),
  }),
  'artifact.deprecated': z.strictObject({
    id: z.string(),
    version: z.string(),
    layer: z.string(),
  }),
  /** An addition (SPEC-20). */
  'artifact.removed': z.strictObject({ id: z.string(), layer: z.string() }),
  /** A version that was published before is served again: after a removal, or after a rollback (an addition). */
  'artifact.restored': z.strictObject({ id: z.string(), version: z.string(), layer: z.string() }),
  'domain.published': z.strictObject({ domain: z.string(), layer: z.string() }),
  'layer.ingested': z.strictObject({
    layer: z.string(),
    reference: z.string(),
    accepted: z.int(),
    idempotent: z.int(),
    removed: z.int(),
    conflicts: z.int(),
    lint_failures: z.int(),
    rejected: z.int(),
  }),
  'layer.history_rewritten': z.strictObject({
    layer: z.string(),
    prior_ref: z.string(),
    new_ref: z.string(),
  }),
  'layer.config_changed': z.strictObject({
    /** Several ids of a reorder are joined by commas. */
    layer: z.string(),
    action: z.enum(['register', 'unregister', 'update', 'restore', 'reorder', 'erase']),
  }),
  'layer.user_registered': z.strictObject({
    layer: z.string(),
    action: z.enum(['register', 'unregister', 'update', 'restore', 'reorder', 'erase']),
  }),
} as const satisfies Record<EventName, z.ZodType>;

export type EventData<Name extends EventName> = z.infer<(typeof eventData)[Name]>;

/** The body of one event, on the stream and in a webhook (EVENT-18). */
export const eventBody = z.strictObject({
  event: z.string(),
  trace_id: z.string(),
  timestamp,
  actor: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
  /** Where a reader goes on with `?since=` (an addition). */
  cursor: z.string().optional(),
});
export type EventBody = z.infer<typeof eventBody>;

/** The schema of each event's `data`. */
export const eventDataSchemas: Readonly<Record<EventName, z.ZodType>> = eventData;
