import { currentTime } from '../../clock.ts';
import { usageError } from '../../command/usage-errors.ts';
import { parseTime } from '../parse-time.ts';
import { readDuration } from '../read-duration.ts';

interface FilterFlags {
  type?: readonly string[] | undefined;
  caller?: string | undefined;
  layer?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export function readFilters({ type = [], caller, layer, since, until }: FilterFlags) {
  return {
    type: type.length === 0 ? undefined : type.join(','),
    caller,
    layer,
    since: readMoment('--since', since),
    until: readMoment('--until', until),
  };
}

function readMoment(flag: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (/^\d+[smhd]$/.test(given)) {
    return new Date(currentTime() - (readDuration(flag, given) ?? 0)).toISOString();
  }
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw usageError(
    `${flag} must be a duration, a date, or a time with a time zone, not ${given}.`,
    `Use \`${flag} 7d\` or \`${flag} 2026-11-01T09:30:00Z\`.`,
    { argument: flag },
  );
}
