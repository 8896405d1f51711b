import { usageError } from '../command/usage-errors.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export function readDuration(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const unit = UNITS[value.slice(-1)];
  if (unit !== undefined && /^\d{1,6}[smhd]$/.test(value)) return Number.parseInt(value, 10) * unit;
  throw usageError(
    `${flag} must be a duration such as 90s, 5m, 24h or 7d, not ${value}.`,
    `Use \`${flag} 24h\`.`,
    { argument: flag },
  );
}
