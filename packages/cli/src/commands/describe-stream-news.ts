import type { StreamNews } from '@catalog/consumer/watch/follow-stream';

/** Describes a change of the subscription to a registry's events, in one line. */
export function describeStreamNews(news: StreamNews): string {
  if (news.kind === 'open') return 'Reconnected to the registry';
  if (news.kind === 'lost') return `${news.error.message} Retrying.`;
  return `The event stream of the registry returned ${news.status}: ${news.error.message} Retrying.`;
}
