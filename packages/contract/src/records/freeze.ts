import { z } from 'zod';
import { timestamp } from './formats.ts';

export const FREEZE_BLOCKS = ['ingest', 'layer-config'] as const;
/** Action that a freeze window blocks. */
export type FreezeBlock = (typeof FREEZE_BLOCKS)[number];

/** Maximum number of stored windows of a tenant. */
export const MAX_FREEZE_WINDOWS = 100;

const subject = z.string().min(1).max(512);
const justification = z.string().max(4096);
const cron = z.string().max(128);

export const freezeWindow = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'use letters, digits, dots, dashes, and underscores',
    ),
  start: z.iso.datetime({ offset: true }).optional().describe('Start of a single period.'),
  end: z.iso.datetime({ offset: true }).optional().describe('End of a single period, exclusive.'),
  starts: cron
    .optional()
    .describe('Cron expression with five fields: the times at which a repeating period starts.'),
  ends: cron
    .optional()
    .describe('Cron expression with five fields: the times at which a repeating period ends.'),
  time_zone: z
    .string()
    .max(64)
    .optional()
    .describe('IANA time zone of `starts` and `ends`, such as `Europe/Berlin`.'),
  blocks: z
    .array(z.enum(FREEZE_BLOCKS))
    .min(1)
    .default(['ingest'])
    .describe('`ingest` blocks ingests; `layer-config` blocks changes of layers.'),
});
/** Freeze window: one period, or a repeating one. */
export type FreezeWindow = z.infer<typeof freezeWindow>;

export const putFreezeWindowsBody = z.strictObject({
  windows: z.array(freezeWindow).max(MAX_FREEZE_WINDOWS),
  justification: justification
    .optional()
    .describe('Reason; required to weaken a window while it is active.'),
  approvers: z
    .array(subject)
    .max(100)
    .optional()
    .describe(
      'Admins who approved; two are required to remove, shorten, or weaken a window while it is active.',
    ),
});
export type PutFreezeWindowsBody = z.input<typeof putFreezeWindowsBody>;

export const breakGlassBody = z.strictObject({
  layer: z.string().max(128).optional().describe('Layer whose ingest to approve.'),
  reference: z
    .string()
    .max(128)
    .optional()
    .describe('Commit whose ingest to approve; `*` for a layer that reads a directory.'),
  window: z.string().max(128).optional().describe('Active window whose weakening to approve.'),
  justification: justification.optional(),
});
export type BreakGlassBody = z.infer<typeof breakGlassBody>;

const approval = z.strictObject({
  layer: z.string().optional(),
  reference: z.string().optional(),
  window: z.string().optional(),
  approver: z.string(),
  approved_at: timestamp,
  expires_at: timestamp,
});
export type BreakGlassApproval = z.infer<typeof approval>;

export const breakGlassApproval = approval.extend({
  approvers: z
    .array(z.string())
    .describe('Admins with a valid approval of the same change, including the caller.'),
});
export type RecordedApproval = z.infer<typeof breakGlassApproval>;

const shownWindow = freezeWindow.extend({
  source: z
    .enum(['file', 'stored'])
    .describe("`file`: from the server's configuration; cannot be changed through the API."),
  active: z.boolean(),
  active_until: timestamp
    .optional()
    .describe('End of the current period, if the window is active.'),
});
export type ShownFreezeWindow = z.infer<typeof shownWindow>;

export const freezeWindows = z.strictObject({
  windows: z.array(shownWindow),
  frozen_layers: z
    .array(z.strictObject({ layer: z.string(), frozen_since: timestamp }))
    .describe(
      'Layers whose ingest was blocked. The registry ingests them when no window is active.',
    ),
  approvals: z.array(approval).describe('Approvals that have neither expired nor been used.'),
});
export type FreezeWindows = z.infer<typeof freezeWindows>;
