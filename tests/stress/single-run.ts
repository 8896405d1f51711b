import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunContext, RunResult } from '../../bench/benchmark.ts';
import { formatMeasurement, partsOf } from '../../bench/format-measurement.ts';
import type { StressResult, StressTest } from './stress-test.ts';

/** Full sizes take up to several hours. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** A stress test that runs once, with `n` as its size, and counts its failures. */
interface SingleRun extends Pick<
  StressTest,
  'name' | 'summary' | 'n' | 'small_n' | 'servers' | 'alone'
> {
  run: (context: Pick<RunContext, 'n' | 'seed' | 'folder'>) => RunResult | Promise<RunResult>;
}

export function singleRun({ run, ...test }: SingleRun): StressTest {
  return {
    ...test,
    histories: 1,
    is_built: true,
    timeout_ms: TIMEOUT_MS,
    // The folder is on a real disk, because the results depend on it.
    open(_, n) {
      const folder = mkdtempSync(join(tmpdir(), `catalog-${test.name}-`));
      return {
        play: async (seed) => toStressResult(await run({ n, seed, folder })),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  };
}

function toStressResult(result: RunResult): StressResult {
  const lines = partsOf(result).map(formatMeasurement);
  const notes = [...lines, ...result.notes];
  return { counts: {}, problems: result.met ? [] : notes, notes };
}
