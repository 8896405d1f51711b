import { formatTime } from '../../output/format-time.ts';

export function describeExpiry({
  expires_at,
  renewable,
}: {
  expires_at: number | undefined;
  renewable: boolean;
}): string {
  if (renewable) return 'refreshed automatically';
  if (expires_at === undefined) return 'valid until the identity provider revokes it';
  return `valid until ${formatTime(new Date(expires_at * 1000).toISOString())}`;
}
