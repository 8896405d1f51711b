import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('parseDuration and formatDuration', () => {
  test.each([
    ['30s', 30_000, '30s'],
    ['60s', 60_000, '1m0s'],
    ['1.5s', 1500, '1.5s'],
    ['1500ms', 1500, '1.5s'],
    ['1h', 3_600_000, '1h0m0s'],
    ['90m', 5_400_000, '1h30m0s'],
    ['1h2m3s', 3_723_000, '1h2m3s'],
    ['24h', 86_400_000, '24h0m0s'],
  ])('parse %s as %d ms and format it as %s', (text, ms, normalized) => {
    expect(parseDuration(text)).toBe(ms);
    expect(formatDuration(ms)).toBe(normalized);
    expect(parseDuration(normalized)).toBe(ms);
  });

  test.each(['', '30', 's', '-5s', '5 s', '1d', '5s.', '1e3s'])('reject `%s`', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
