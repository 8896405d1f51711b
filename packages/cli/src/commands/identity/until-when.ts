import { formatTime } from '../../output/format-time.ts';

/** How long a sign-in lasts, in words. */
export function untilWhen({
  expires_at,
  renewable,
}: {
  expires_at: number | undefined;
  renewable: boolean;
}): string {
  if (renewable) return 'renewed by itself';
  if (expires_at === undefined) return 'good until the identity provider ends it';
  return `good until ${formatTime(new Date(expires_at * 1000).toISOString())}`;
}
