/** Names of events in the order of the reference. This module loads no schemas, so the table of commands can use it. */
export const EVENT_NAMES = [
  'artifact.published',
  'artifact.deprecated',
  'artifact.removed',
  'artifact.restored',
  'artifact.purged',
  'domain.published',
  'layer.ingested',
  'layer.history_rewritten',
  'layer.config_changed',
  'layer.user_registered',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
