import { z } from 'zod';
import { parseDuration } from '../duration.ts';
import { EVENT_NAMES } from '../event-names.ts';
import { eventBody } from '../events.ts';
import { count, timestamp } from './formats.ts';

/** Replaces a secret in every response except the one that created it. */
export const MASKED_SECRET = '***';

export const NEVER = '0001-01-01T00:00:00Z';

const MIN_DEBOUNCE_MS = 1000;
const MAX_DEBOUNCE_MS = 86_400_000;

const url = z.string().min(1).max(2048).describe('Target of the deliveries; https only.');
const secret = z
  .string()
  .min(1)
  .max(512)
  .describe('Secret that deliveries are signed with; generated if absent.');
const eventFilter = z
  .array(z.enum(EVENT_NAMES))
  .min(1, 'name at least one event, or use null for every event')
  .nullable()
  .describe('Events to deliver; null means every event.');
const debounce = z
  .string()
  .refine((text) => text === '' || isWindow(parseDuration(text)), {
    error: 'use a duration from 1s to 24h, such as `30s`, or an empty string for no window',
  })
  .describe(
    'Window in which events are collected into one delivery, such as `30s`; empty for none.',
  );

const ordered = z
  .boolean()
  .describe('Sends one delivery at a time, in the order of the events, and waits for retries.');

function isWindow(ms: number | undefined): boolean {
  return ms !== undefined && ms >= MIN_DEBOUNCE_MS && ms <= MAX_DEBOUNCE_MS;
}

export const webhookReceiver = z.strictObject({
  id: z.string(),
  url: z.string(),
  secret: z.string().describe('Signing secret; `***` except in the response that created it.'),
  event_filter: z.array(z.string()).nullable(),
  disabled: z.boolean(),
  /** An addition of catalog to the specification. */
  disabled_by: z
    .enum(['admin', 'failures', 'gone', 'restore'])
    .optional()
    .describe(
      'Why deliveries are suspended: by an admin, after failures over at least a day, after a 410 response, or because the receiver comes from a backup.',
    ),
  failure_count: count.describe('Consecutive failed attempts.'),
  last_delivery: timestamp,
  last_failure: timestamp,
  created_at: timestamp,
  debounce: z.string().optional(),
  /** An addition of catalog to the specification. */
  ordered: z
    .literal(true)
    .optional()
    .describe('Present if deliveries are sent one at a time, in the order of the events.'),
});
export type WebhookReceiver = z.infer<typeof webhookReceiver>;

export const webhookReceiverList = z.strictObject({ receivers: z.array(webhookReceiver) });
export type WebhookReceiverList = z.infer<typeof webhookReceiverList>;

export const createWebhookBody = z.strictObject({
  url,
  secret: secret.optional(),
  event_filter: eventFilter.optional(),
  debounce: debounce.optional(),
  ordered: ordered.optional(),
  disabled: z.boolean().optional(),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

export const updateWebhookBody = createWebhookBody.partial();
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** An addition of catalog to the specification. */
export const webhookDelivery = z.strictObject({
  id: z.string().describe('Value of the header `webhook-id`, the same in every attempt.'),
  event: z.string().describe('Name of the event, or `batch`.'),
  cursor: z.string().describe('Cursor of the newest event in the delivery.'),
  state: z.enum(DELIVERY_STATES),
  attempts: count,
  created_at: timestamp,
  next_attempt: timestamp.optional().describe('Time of the next attempt; only if pending.'),
  last_attempt: timestamp.optional(),
  status: z.int().optional().describe('Status of the last response.'),
  duration_ms: count.optional(),
  response: z.string().optional().describe('First 1,024 bytes of the last response.'),
  error: z.string().optional().describe('Why the last attempt failed.'),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhookDeliveryList = z.strictObject({
  deliveries: z.array(webhookDelivery),
  next_cursor: z.string().optional(),
});
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryList>;

export const webhookDeliveryDetails = webhookDelivery.extend({
  body: z.string().describe('Body as it is signed and sent.'),
});
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryDetails>;

export const recoverWebhookBody = z.strictObject({
  since: timestamp.describe('Deliveries created at or after this time are sent again.'),
});
export type RecoverWebhookBody = z.infer<typeof recoverWebhookBody>;

export const recoveredDeliveries = z.strictObject({ recovered: count });
export type RecoveredDeliveries = z.infer<typeof recoveredDeliveries>;

/** Body of a webhook with a debounce window (EVENT-30). */
export const webhookBatch = z.strictObject({
  event: z.literal('batch'),
  trace_id: z.string(),
  timestamp,
  window: z.strictObject({ start: timestamp, end: timestamp }),
  count,
  events: z.array(eventBody),
});
export type WebhookBatch = z.infer<typeof webhookBatch>;
