import type { StreamStatus } from '@catalog/consumer/watch/follow-stream';

export function describeStreamChange(news: StreamStatus): string {
  if (news.kind === 'open') return 'Reconnected to the registry';
  if (news.kind === 'lost') return `${news.error.message} Retrying.`;
  return `The event stream of the registry returned ${news.status}: ${news.error.message} Retrying.`;
}
