import { join } from 'node:path';
import {
  measurementOfFailures,
  resultOfParts,
  type RunResult,
  type Measurement,
} from '../../../bench/benchmark.ts';
import {
  startRegistryProcess,
  untilIngested,
  untilKilled,
} from '../../../bench/registry-process.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { cells, LIMITS, type Answer, type Cell } from './table.ts';
import { prepareCell, publishVersion, writeLayer, type Outcome } from './trial.ts';

const ALL = cells().length;
const SHORT = { connect_ms: 2_000, discovery_ms: 4_000, load_ms: 6_000 };
/** Tolerance for a busy machine to detect a timeout. */
const GRACE_MS = 1_500;

export const mcpOffline = singleRun({
  name: 'mcp-offline',
  summary:
    'Tests every combination of cache mode, tool, registry fault and cache state, all at once. Counts responses that differ from the expected one and responses that arrive too late.',
  alone: true,
  n: ALL,
  small_n: 48,
  run: ({ n, seed, folder }) => {
    const layer = join(folder, 'layer');
    writeLayer(layer);
    return untilKilled(
      () => startRegistryProcess(folder, { flags: ['--layer-path', layer] }),
      async ({ url }) => {
        await untilIngested(url);
        await publishVersion(layer, url);
        return play(url, n, seed, folder);
      },
    );
  },
});

async function play(url: string, n: number, seed: string, folder: string): Promise<RunResult> {
  const limits = n >= ALL ? LIMITS : SHORT;
  const chosen = seededRandom(`mcp-offline ${seed}`).shuffle(cells(limits)).slice(0, n);
  const prepared = [];
  for (const [number, cell] of chosen.entries()) {
    prepared.push(await prepareCell(cell, url, join(folder, `cell-${number}`), limits));
  }
  const outcomes = await Promise.all(prepared.map((one) => one.call()));
  for (const one of prepared) await one.close();
  const results = chosen.flatMap((cell, at) => {
    const outcome = outcomes[at];
    return outcome === undefined ? [] : [{ cell, outcome }];
  });
  const wrong = results.filter(({ cell, outcome }) => !isAsWritten(cell.answer, outcome.answer));
  const late = results.filter(({ cell, outcome }) => outcome.ms > cell.within_ms + GRACE_MS);
  const parts: Measurement[] = [
    measurementOfFailures('mcp-offline-answers', n, wrong.length),
    measurementOfFailures('mcp-offline-late', n, late.length),
  ];
  const longest = Math.max(...outcomes.map(({ ms }) => ms));
  return resultOfParts('mcp-offline', parts, [
    `${n} of ${ALL} cells; time-outs ${limits.discovery_ms} ms for discovery and ${limits.load_ms} ms for a load; the longest answer took ${Math.round(longest)} ms; seed ${seed}`,
    ...[...wrong, ...late].map(complain),
  ]);
}

/** Returns true for a cached response without a mark that equals a fresh one. */
function isAsWritten(written: Answer, got: Answer): boolean {
  const kind = written.kind === 'silent' ? 'fresh' : written.kind;
  if (kind !== got.kind) return false;
  return written.kind !== 'error' || got.kind !== 'error' || written.code === got.code;
}

function complain({ cell, outcome }: { cell: Cell; outcome: Outcome }): string {
  const { mode, tool, fault, cached, answer } = cell;
  const place = `${mode}, ${tool}, ${fault}, ${cached ? 'cached' : 'not cached'}`;
  return `${place}: ${nameOf(outcome.answer)} after ${Math.round(outcome.ms)} ms, not ${nameOf(answer)}`;
}

function nameOf(answer: Answer): string {
  return answer.kind === 'error' ? answer.code : answer.kind;
}
