import { useSyncExternalStore, type MouseEvent, type ReactElement } from 'react';
import { now } from '../clock.ts';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** Formats a time such as `3 days ago`. */
export function formatRelative(at: number, from: number): string {
  const seconds = (at - from) / 1000;
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (unit === undefined) return 'just now';
  return relative.format(Math.round(seconds / unit[1]), unit[0]);
}

const MINUTE_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now() / MINUTE_MS)) * MINUTE_MS;
}

export function RelativeTime({ value }: { value: string }): ReactElement {
  const minute = useMinute();
  const at = Date.parse(value);
  return (
    <time dateTime={value} onMouseEnter={showAbsolute}>
      {formatRelative(Math.min(at, minute), minute)}
    </time>
  );
}

/** Formats the absolute time when needed, because formatting it in every row would delay a list. */
function showAbsolute({ currentTarget }: MouseEvent<HTMLTimeElement>): void {
  currentTarget.title = absolute.format(Date.parse(currentTarget.dateTime));
}
