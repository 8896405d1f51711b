import type { WebhookDelivery, WebhookDeliveryDetails } from '@catalog/contract/records/webhook';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line, type Style } from '../../output/text.ts';

const STYLES = { pending: 'yellow', delivered: 'green', failed: 'red' } as const satisfies Record<
  WebhookDelivery['state'],
  Style
>;

export function renderDeliveries(deliveries: readonly WebhookDelivery[]): Line[] {
  const titles = ['created', 'delivery', 'event', 'state', 'attempts', 'last attempt'];
  const header = titles.map((title): Line => [styled('bold', title)]);
  const rows = deliveries.map((delivery): Line[] => [
    formatTime(delivery.created_at),
    delivery.id,
    delivery.event,
    [styled(STYLES[delivery.state], delivery.state)],
    String(delivery.attempts),
    describeAttempt(delivery),
  ]);
  return alignColumns([header, ...rows]);
}

export function renderDelivery(delivery: WebhookDeliveryDetails): Line[] {
  const { id, event, cursor, state, attempts, created_at, next_attempt, response, body } = delivery;
  return [
    [styled('bold', id), ` ${event}`],
    ...alignColumns(
      [
        ['state', [styled(STYLES[state], state)]],
        ['attempts', String(attempts)],
        ['last attempt', describeAttempt(delivery)],
        ...(next_attempt === undefined ? [] : [['next attempt', formatTime(next_attempt)]]),
        ['created', formatTime(created_at)],
        ['cursor', cursor],
      ],
      '  ',
    ),
    ...renderText('response', response),
    ...renderText('body', indentJson(body)),
  ];
}

/** Formats an attempt such as `204 in 12 ms` or `connection refused after 3 ms`; a dash before the first one. */
export function describeAttempt({ status, error, duration_ms }: WebhookDelivery): string {
  const outcome = [status === undefined ? undefined : String(status), error]
    .filter((part) => part !== undefined)
    .join(': ');
  if (outcome === '') return '-';
  if (duration_ms === undefined) return outcome;
  return `${outcome} ${error === undefined ? 'in' : 'after'} ${duration_ms} ms`;
}

export function renderText(title: string, text: string | undefined): Line[] {
  if (text === undefined || text.trim() === '') return [];
  return [
    [styled('bold', title)],
    ...text
      .trimEnd()
      .split('\n')
      .map((document): Line => ['  ', { document }]),
  ];
}

function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
