import { NEVER, type WebhookReceiver } from '@catalog/contract/records/webhook';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';

const DISABLED_BY = {
  admin: 'by an admin',
  failures: 'after repeated failures',
  gone: 'after a 410 response',
  restore: 'since a restore',
} as const;

export function renderReceivers(receivers: readonly WebhookReceiver[]): Line[] {
  const header = ['id', 'url', 'events', 'state', 'last delivery'].map((title): Line => [
    styled('bold', title),
  ]);
  const rows = receivers.map((receiver): Line[] => [
    receiver.id,
    receiver.url,
    describeEvents(receiver),
    describeState(receiver),
    describeTime(receiver.last_delivery),
  ]);
  return alignColumns([header, ...rows]);
}

export function renderReceiver(receiver: WebhookReceiver): Line[] {
  const { id, url, debounce, last_delivery, last_failure, created_at } = receiver;
  return [
    [styled('bold', id), ` ${url}`],
    ...alignColumns(
      [
        ['events', describeEvents(receiver)],
        ['debounce', debounce ?? 'none'],
        ['order', receiver.ordered === true ? 'of the events, one at a time' : 'any'],
        ['state', describeState(receiver)],
        ['last delivery', describeTime(last_delivery)],
        ['last failure', describeTime(last_failure)],
        ['created', formatTime(created_at)],
      ],
      '  ',
    ),
  ];
}

export function nextForReceiver({ id, disabled, failure_count }: WebhookReceiver): Line[] {
  if (disabled) {
    return [
      `Next: to resume deliveries, run \`catalog webhook update ${id} --enable\`, then \`catalog webhook test ${id}\`.`,
    ];
  }
  if (failure_count === 0) return [];
  return [`Next: to see why deliveries fail, run \`catalog webhook deliveries ${id}\`.`];
}

function describeEvents({ event_filter }: WebhookReceiver): string {
  return event_filter === null ? 'all' : event_filter.join(', ');
}

function describeState({ disabled, disabled_by, failure_count }: WebhookReceiver): Line {
  if (disabled) {
    const why = disabled_by === undefined ? '' : ` ${DISABLED_BY[disabled_by]}`;
    return [styled('yellow', 'disabled'), why];
  }
  if (failure_count === 0) return 'active';
  return [styled('red', 'failing'), ` (${count(failure_count, 'attempt')} in a row)`];
}

function describeTime(time: string): string {
  return time === NEVER ? '-' : formatTime(time);
}
