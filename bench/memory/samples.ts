import { median } from '../benchmark.ts';

export interface MemorySample {
  seconds: number;
  rss: number;
  heap_used: number;
  heap_total: number;
  /** Buffers and other objects outside of the V8 heap. */
  external: number;
}

const COLUMNS = ['seconds', 'rss', 'heap_used', 'heap_total', 'external'] as const;
const WINDOW_SECONDS = 3600;

export function formatSamples(samples: readonly MemorySample[]): string {
  const lines = samples.map((sample) => COLUMNS.map((column) => sample[column].toFixed(1)));
  return [COLUMNS, ...lines].map((cells) => `${cells.join(',')}\n`).join('');
}

export function parseSamples(text: string): MemorySample[] {
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const [seconds = 0, rss = 0, heap_used = 0, heap_total = 0, external = 0] = line
      .split(',')
      .map(Number);
    return { seconds, rss, heap_used, heap_total, external };
  });
}

/** Summarizes the last hour of a load, or its last two thirds if it is shorter than 90 minutes. */
export function summarizeLastHour(samples: readonly MemorySample[]): {
  minutes: number;
  max_rss: number;
  /** Growth in percent, from the median of the first sixth to the median of the last sixth. */
  growth: number;
} {
  const end = samples.at(-1)?.seconds ?? 0;
  const length = Math.min(WINDOW_SECONDS, (end * 2) / 3);
  const medianBetween = (from: number, to: number): number =>
    median(samples.filter(({ seconds }) => seconds >= from && seconds <= to).map(({ rss }) => rss));
  const start = end - length;
  const first = medianBetween(start, start + length / 6);
  const last = medianBetween(end - length / 6, end);
  const late = samples.filter(({ seconds }) => seconds >= start);
  return {
    minutes: length / 60,
    max_rss: Math.max(...late.map(({ rss }) => rss)),
    growth: (last / first - 1) * 100,
  };
}
