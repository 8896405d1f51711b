import { z } from 'zod';
import type { EventName } from './event-names.ts';
import { timestamp } from './records/formats.ts';

/** Schemas of the `data` of events, which contain identifiers but no content (SPEC-11). */
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
  /** An addition of catalog to the specification (SPEC-20). */
  'artifact.removed': z.strictObject({ id: z.string(), layer: z.string() }),
  /** An addition of catalog to the specification: an earlier version is served again after a removal or a rollback. */
  'artifact.restored': z.strictObject({ id: z.string(), version: z.string(), layer: z.string() }),
  /** Addition to the specification: an administrator removed the content (SPEC-20). */
  'artifact.purged': z.strictObject({
    id: z.string(),
    version: z.string(),
    layer: z.string(),
    content_hash: z.string(),
  }),
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
    /** Layer id; several, separated by commas, after a reorder. */
    layer: z.string(),
    action: z.enum(['register', 'unregister', 'update', 'restore', 'reorder', 'erase']),
  }),
  'layer.user_registered': z.strictObject({
    layer: z.string(),
    action: z.enum(['register', 'unregister', 'update', 'restore', 'reorder', 'erase']),
  }),
} as const satisfies Record<EventName, z.ZodType>;

/** Type of the `data` of an event, by the event's name. */
export type EventData<Name extends EventName> = z.infer<(typeof eventData)[Name]>;

/** Body of an event, in the event stream and in webhooks (EVENT-18). */
export const eventBody = z.strictObject({
  event: z.string(),
  trace_id: z.string(),
  timestamp,
  actor: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
  /** Cursor for `?since=`, which resumes the stream. An addition of catalog to the specification. */
  cursor: z.string().optional(),
});
/** Body of one event, as parsed by `eventBody`. */
export type EventBody = z.infer<typeof eventBody>;

/** Schemas of event `data`, by event name. */
export const eventDataSchemas: Readonly<Record<EventName, z.ZodType>> = eventData;
