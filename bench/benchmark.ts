import type { CommandRun } from './measure-command.ts';

/** One measurement, or one part of a run that measures several things. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** The bare way to do the same, measured in the same run; null where there is none. */
  baseline: number | null;
  /** Wall time of the subject over that of the baseline. */
  ratio: number | null;
  cpu_ratio: number | null;
  /** The size of the fixture or the number of trials. */
  n: number;
  goal: string;
  met: boolean;
}

export interface RunResult extends Measurement {
  /** Files, bytes, seeds: what a reader needs to believe the number. */
  notes: string[];
  /** The measurements of a run with several goals; it meets its goal if all of them do. */
  parts?: Measurement[];
}

/** Size, seed and folder of a run. */
export interface RunContext {
  n: number;
  seed: string;
  /** An empty folder that is removed afterwards. */
  folder: string;
  /** How often to repeat a measurement: once at the small size, where speed decides nothing. */
  repeat: (times: number) => number;
}

/** A claim the project makes, and the way to measure it. */
export interface Benchmark {
  name: string;
  /** What is measured and against what, in one sentence. */
  summary: string;
  /** Independent of the machine and its load, so a small run fails if a goal is not met. */
  is_exact?: true;
  /** Names of the parts in `docs/benchmarks.md`; all if missing. */
  page_parts?: RegExp;
  /** Uses the servers of the tests, which `./dev bench` starts if they are missing. */
  servers?: true;
  /** The size of the claim. */
  n: number;
  /** A size that takes seconds. */
  small_n: number;
  run(context: RunContext): RunResult | Promise<RunResult>;
}

/** One side of a comparison: what to put in place before each run, and the run. */
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

/**
 * Medians of five runs of both sides, which take turns after one warm run each, so that a slow
 * moment of the machine falls on both.
 */
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

/** A comparison held against the highest ratio it may have. CPU decides where it and wall disagree. */
export function measurementOfRatio(
  name: string,
  n: number,
  comparison: Comparison,
  atMost: number,
): Measurement {
  return {
    name,
    ...comparison,
    unit: 'ms',
    n,
    goal: `ratio <= ${atMost}`,
    met: comparison.cpu_ratio <= atMost,
  };
}

/** Returns a result with several goals, which shows the first part. */
export function resultOfParts(name: string, parts: Measurement[], notes: string[]): RunResult {
  const [first] = parts;
  if (first === undefined) throw new RangeError('nothing was measured');
  return { ...first, name, parts, met: parts.every(({ met }) => met), notes };
}

/** How many trials ended as none may. */
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

/** The first of several complaints, and how many there are. */
export function firstOf(lines: readonly string[]): string {
  const [first = ''] = lines;
  return lines.length > 1 ? `${first} (and ${lines.length - 1} more)` : first;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('no values');
  return middle;
}
