import type { CommandRun } from './measure-command.ts';

/** One measurement, or one part of a run that measures several values. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** The baseline, measured in the same run; null if there is no baseline. */
  baseline: number | null;
  /** Wall time of the subject divided by that of the baseline. */
  ratio: number | null;
  cpu_ratio: number | null;
  /** Size of the fixture or number of trials. */
  n: number;
  goal: string;
  met: boolean;
}

export interface RunResult extends Measurement {
  notes: string[];
  /** Measurements of a run with several goals. The run meets its goal if all parts do. */
  parts?: Measurement[];
}

export interface RunContext {
  n: number;
  seed: string;
  folder: string;
  /** Returns the number of repetitions: one at the small size, which has no speed goals. */
  repeat: (times: number) => number;
}

export interface Benchmark {
  name: string;
  /** The measured quantity and its baseline, in one sentence. */
  summary: string;
  /** True if the result does not depend on the speed of the machine, so that a small run fails too. */
  is_exact?: true;
  /** Parts that `docs/benchmarks.md` shows; all if missing. */
  page_parts?: RegExp;
  /** Uses the servers of the tests, which `./dev bench` starts if they are missing. */
  servers?: true;
  n: number;
  small_n: number;
  run(context: RunContext): RunResult | Promise<RunResult>;
}

export interface Side {
  prepare?: () => void;
  run: () => CommandRun;
}

export interface Comparison {
  value: number;
  baseline: number;
  ratio: number;
  cpu_ratio: number;
}

const RUNS = 5;

/** Returns medians of five runs. The sides alternate, so that a slow moment affects both. */
export function compare(
  subject: Side,
  baseline: Side,
  { repeat }: Pick<RunContext, 'repeat'>,
): Comparison {
  const runs = repeat(RUNS);
  const subjectRuns: CommandRun[] = [];
  const baselineRuns: CommandRun[] = [];
  for (let round = 0; round <= runs; round += 1) {
    const turns = round % 2 === 0 ? [baseline, subject] : [subject, baseline];
    for (const side of turns) {
      side.prepare?.();
      const run = side.run();
      if (round > 0) (side === subject ? subjectRuns : baselineRuns).push(run);
    }
  }
  const value = median(subjectRuns.map((run) => run.wall_ms));
  const bare = median(baselineRuns.map((run) => run.wall_ms));
  const cpu = median(subjectRuns.map((run) => run.cpu_ms));
  const bareCpu = median(baselineRuns.map((run) => run.cpu_ms));
  return { value, baseline: bare, ratio: value / bare, cpu_ratio: cpu / bareCpu };
}

/** Returns a measurement by wall time, or by CPU time if the two disagree. */
export function measurementOfRatio(
  name: string,
  n: number,
  comparison: Comparison,
  maxRatio: number,
): Measurement {
  return {
    name,
    ...comparison,
    unit: 'ms',
    n,
    goal: `ratio <= ${maxRatio}`,
    met: comparison.cpu_ratio <= maxRatio,
  };
}

export function resultOfParts(name: string, parts: Measurement[], notes: string[]): RunResult {
  const [first] = parts;
  if (first === undefined) throw new RangeError('nothing was measured');
  return { ...first, name, parts, met: parts.every(({ met }) => met), notes };
}

/** Creates a measurement of failed trials; the goal is 0. */
export function measurementOfFailures(name: string, n: number, failures: number): Measurement {
  return {
    name,
    value: failures,
    unit: 'failures',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: 'value <= 0',
    met: failures === 0,
  };
}

export function summarizeLines(lines: readonly string[]): string {
  const [first = ''] = lines;
  return lines.length > 1 ? `${first} (and ${lines.length - 1} more)` : first;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('no values');
  return middle;
}
