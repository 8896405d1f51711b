import type { FreezeBlock, FreezeWindow } from '@catalog/contract/records/freeze';
import { Cron } from 'croner';

/** Freeze window that is active, with the end of its current period. */
export interface ActiveWindow {
  name: string;
  blocks: readonly FreezeBlock[];
  end: Date;
}

/** Returns the reason why a window is invalid, or undefined if it is valid. */
export function findWindowProblem(window: FreezeWindow, now: Date): string | undefined {
  const { start, end, starts, ends, time_zone } = window;
  const isOnce = start !== undefined && end !== undefined;
  const isRepeating = starts !== undefined && ends !== undefined && time_zone !== undefined;
  const given = [start, end, starts, ends, time_zone].filter((value) => value !== undefined);
  if (given.length !== (isOnce ? 2 : 3) || !(isOnce || isRepeating)) {
    return 'a window needs either `start` and `end`, or `starts`, `ends`, and `time_zone`';
  }
  if (isOnce)
    return Date.parse(start) < Date.parse(end) ? undefined : '`end` must be after `start`';
  if (isRepeating) {
    return findScheduleProblem({ starts, ends, time_zone }, now);
  }
  return undefined;
}

interface Schedule {
  starts: string;
  ends: string;
  time_zone: string;
}

function findScheduleProblem(schedule: Schedule, now: Date): string | undefined {
  const { time_zone } = schedule;
  for (const key of ['starts', 'ends'] as const) {
    try {
      if (parseCron(schedule[key], time_zone).nextRun(now) !== null) continue;
      return `\`${key}\` never occurs`;
    } catch {
      return isTimeZone(time_zone)
        ? `\`${key}\` is not a cron expression with five fields`
        : `\`${time_zone}\` is not an IANA time zone`;
    }
  }
  return schedule.starts === schedule.ends ? '`starts` and `ends` are equal' : undefined;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/**
 * Returns the current period of a window, or undefined if it is not active. A repeating window is
 * active if its last start is later than its last end, so a change of daylight saving time neither
 * ends nor skips a period.
 */
export function findActivePeriod(window: FreezeWindow, now: Date): ActiveWindow | undefined {
  const end = window.end === undefined ? scheduleEnd(window, now) : periodEnd(window, now);
  return end && { name: window.name, blocks: window.blocks, end };
}

function periodEnd({ start = '', end = '' }: FreezeWindow, now: Date): Date | undefined {
  const isActive = Date.parse(start) <= now.getTime() && now.getTime() < Date.parse(end);
  return isActive ? new Date(end) : undefined;
}

function scheduleEnd(
  { starts = '', ends = '', time_zone = '' }: FreezeWindow,
  now: Date,
): Date | undefined {
  const ending = parseCron(ends, time_zone);
  const started = lastRun(parseCron(starts, time_zone), now);
  if (started === undefined) return undefined;
  const ended = lastRun(ending, now);
  if (ended !== undefined && ended >= started) return undefined;
  return ending.nextRun(now) ?? undefined;
}

/** Includes a run at `now`. The parser searches before its reference, and only in whole seconds. */
function lastRun(cron: Cron, now: Date): Date | undefined {
  return cron.previousRuns(1, new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000))[0];
}

function parseCron(expression: string, time_zone: string): Cron {
  return new Cron(expression, { mode: '5-part', timezone: time_zone, paused: true });
}

/** Returns the active windows that block an action, the one that ends last first. */
export function listActive(
  windows: readonly FreezeWindow[],
  block: FreezeBlock,
  now: Date,
): ActiveWindow[] {
  return windows
    .filter(({ blocks }) => blocks.includes(block))
    .flatMap((window) => findActivePeriod(window, now) ?? [])
    .toSorted((a, b) => b.end.getTime() - a.end.getTime());
}

/** Returns the names of the active windows that would be removed, end earlier, or block less. */
export function listWeakened(
  before: readonly FreezeWindow[],
  after: readonly FreezeWindow[],
  now: Date,
): string[] {
  return before.flatMap((window) => {
    const active = findActivePeriod(window, now);
    if (active === undefined) return [];
    const replacement = after.find(({ name }) => name === window.name);
    const kept = replacement && findActivePeriod(replacement, now);
    const isKept =
      kept !== undefined &&
      kept.end >= active.end &&
      active.blocks.every((block) => kept.blocks.includes(block));
    return isKept ? [] : [window.name];
  });
}
