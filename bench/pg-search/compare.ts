import type { Measurement } from '../benchmark.ts';

export interface Turn {
  subject: () => Promise<unknown>;
  baseline: () => Promise<unknown>;
}

export interface Times {
  p50: number;
  p99: number;
}

/** Sends every query to both sides in turns, after a warm-up round. */
export async function timeTurns(
  turns: readonly Turn[],
  requests: number,
): Promise<{ subject: Times; baseline: Times }> {
  const subject: number[] = [];
  const baseline: number[] = [];
  for (let at = 0; at < requests + turns.length; at += 1) {
    const turn = turns[at % turns.length];
    if (turn === undefined) break;
    const isCounted = at >= turns.length;
    const sides: [() => Promise<unknown>, number[]][] = [
      [turn.subject, subject],
      [turn.baseline, baseline],
    ];
    for (const [send, times] of at % 2 === 0 ? sides : sides.toReversed()) {
      const began = performance.now();
      await send();
      if (isCounted) times.push(performance.now() - began);
    }
  }
  return { subject: summarize(subject), baseline: summarize(baseline) };
}

function summarize(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export function ratioPart(
  name: string,
  n: number,
  value: number,
  baseline: number,
  limit: number,
): Measurement {
  const ratio = value / baseline;
  const goal = `ratio <= ${limit}`;
  return {
    name,
    n,
    value,
    unit: 'ms',
    baseline,
    ratio,
    cpu_ratio: null,
    goal,
    met: ratio <= limit,
  };
}

export function recallPart(name: string, n: number, value: number, atLeast: number): Measurement {
  return {
    ...UNCOMPARED,
    name,
    n,
    value,
    unit: 'of the best ten',
    goal: `value >= ${atLeast}`,
    met: value >= atLeast,
  };
}

export function limitPart(name: string, n: number, value: number, limit: number): Measurement {
  return {
    ...UNCOMPARED,
    name,
    n,
    value,
    unit: 'ms p99',
    goal: `value <= ${limit}`,
    met: value <= limit,
  };
}

const UNCOMPARED = { baseline: null, ratio: null, cpu_ratio: null };
