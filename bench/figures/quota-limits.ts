import { setTimeout as delay } from 'node:timers/promises';
import { resultOfParts, type Figure, type Measurement } from '../figure.ts';
import {
  demand,
  mostOfASecond,
  openSearcher,
  type Answered,
  type Searcher,
} from '../quotas/demand.ts';
import { LIMITED, OTHER, withStage, type Stage } from '../quotas/stage.ts';
import { percentilesOf } from '../timed-requests.ts';

const PROCESSES = 2;
const LIMIT = 50;
/** What is asked of each process: together four times the limit, and twice beside another tenant. */
const DEMAND = (4 * LIMIT) / PROCESSES;
const SHARED_DEMAND = (2 * LIMIT) / PROCESSES;
const MOST_OF_A_SECOND = 60;
const AT_MOST_OFF = 0.05;
const AT_MOST_SLOWER = 1.1;
const ROUND_MS = 1000;
/** New processes are slow at first. */
const WARM_MS = 2000;
/** What was asked for in the round before is answered. */
const SETTLE_MS = 100;

export const quotaLimits: Figure = {
  name: 'quota-limits',
  summary:
    "Two processes on one PostgreSQL and a tenant with a limit of 50 searches per second receive four times that load for n seconds. Measures how many searches are admitted in total and in any single second, and the p99 of another tenant's searches, with and without twice the limited tenant's load, in rounds of one second.",
  kind: 'speed',
  n: 30,
  small_n: 4,
  run: ({ n, folder }) =>
    withStage(folder, { count: PROCESSES, search_qps: LIMIT }, async (stage) => {
      const limited = searchersOf(stage, LIMITED, LIMIT);
      const other = searchersOf(stage, OTHER, 1);
      try {
        await warmUp([...limited, ...other]);
        const admitted = await measureAdmitted(n, limited);
        const beside = await measureBeside(n, stage, limited, other);
        return resultOfParts(
          'quota-limits',
          [...admitted.parts, beside.part],
          [
            `${PROCESSES} processes, ${DEMAND} searches per second sent to each: ${admitted.note}`,
            `${SHARED_DEMAND} per second sent to each next to another tenant, which sends one search at a time, alternating between the processes. Result: ${beside.note}`,
          ],
        );
      } finally {
        for (const searcher of [...limited, ...other]) searcher.close();
      }
    }),
};

function searchersOf(stage: Stage, tenant: string, connections: number): Searcher[] {
  const headers = stage.headersOf(tenant);
  return stage.processes.map(({ url }) => openSearcher(url, headers, connections));
}

async function warmUp(searchers: readonly Searcher[]): Promise<void> {
  const stops = searchers.map((searcher) => demand(searcher, DEMAND));
  await delay(WARM_MS);
  await Promise.all(stops.map((stop) => stop()));
}

async function measureAdmitted(
  seconds: number,
  searchers: readonly Searcher[],
): Promise<{ parts: Measurement[]; note: string }> {
  const stops = searchers.map((searcher) => demand(searcher, DEMAND));
  await delay(seconds * 1000);
  const answers = (await Promise.all(stops.map((stop) => stop()))).flat();
  const admitted = answers.filter(({ status }) => status === 200);
  const most = mostOfASecond(admitted);
  const ratio = admitted.length / (LIMIT * seconds);
  const measured = { baseline: null, ratio: null, cpu_ratio: null, n: seconds };
  return {
    parts: [
      {
        ...measured,
        name: 'quota-limits-admitted',
        value: admitted.length,
        unit: 'requests',
        baseline: LIMIT * seconds,
        ratio,
        goal: `|ratio - 1| <= ${AT_MOST_OFF}`,
        met: Math.abs(ratio - 1) <= AT_MOST_OFF,
      },
      {
        ...measured,
        name: 'quota-limits-second',
        value: most,
        unit: 'requests',
        goal: `value <= ${MOST_OF_A_SECOND}`,
        met: most <= MOST_OF_A_SECOND,
      },
    ],
    note: describe(answers),
  };
}

function describe(answers: readonly Answered[]): string {
  const refused = answers.filter(({ status }) => status === 429);
  const others = answers.filter(({ status }) => status !== 200 && status !== 429);
  const admitted = answers.length - refused.length - others.length;
  const { p50, p99 } = percentilesOf(refused.map(({ ms }) => ms));
  const times = `a refusal took ${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)} ms)`;
  const strange = others.length === 0 ? '' : `, ${others.length} answered something else`;
  return `${admitted} admitted, ${refused.length} refused, ${times}${strange}`;
}

/** What the other tenant's searches took, and what all processes used, in rounds of one kind. */
interface Rounds {
  times_ms: number[];
  cpu_ms: number;
}

async function measureBeside(
  n: number,
  { processes }: Stage,
  limited: readonly Searcher[],
  other: readonly Searcher[],
): Promise<{ part: Measurement; note: string }> {
  const alone: Rounds = { times_ms: [], cpu_ms: 0 };
  const beside: Rounds = { times_ms: [], cpu_ms: 0 };
  const cpuMs = (): number => processes.reduce((sum, process) => sum + process.cpuMs(), 0);
  for (let round = 0; round < 2 * n; round += 1) {
    // Pairs begin with either in turn.
    const isBeside = Math.floor((round + 1) / 2) % 2 === 0;
    const rounds = isBeside ? beside : alone;
    const stops = isBeside ? limited.map((searcher) => demand(searcher, SHARED_DEMAND)) : [];
    await delay(SETTLE_MS);
    const before = cpuMs();
    rounds.times_ms.push(...(await searchInTurns(other)));
    rounds.cpu_ms += cpuMs() - before;
    await Promise.all(stops.map((stop) => stop()));
  }
  const [value, baseline] = [beside, alone].map(({ times_ms }) => percentilesOf(times_ms).p99);
  const ratio = (value ?? Number.NaN) / (baseline ?? Number.NaN);
  return {
    part: {
      name: 'quota-limits-neighbor',
      value: value ?? Number.NaN,
      unit: 'ms',
      baseline: baseline ?? Number.NaN,
      ratio,
      cpu_ratio: cpuOfOne(beside) / cpuOfOne(alone),
      n,
      goal: `ratio <= ${AT_MOST_SLOWER}`,
      met: ratio <= AT_MOST_SLOWER,
    },
    note: `alone ${describeRounds(alone)}. Next to the limited tenant ${describeRounds(beside)}`,
  };
}

async function searchInTurns(searchers: readonly Searcher[]): Promise<number[]> {
  const times_ms: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (performance.now() < end) {
    for (const searcher of searchers) {
      const { ms, status } = await searcher.search();
      if (status !== 200) throw new Error(`a tenant without a limit was answered ${status}`);
      times_ms.push(ms);
    }
  }
  return times_ms;
}

/** CPU of all processes for each of the searches, with whatever else they did. */
function cpuOfOne({ times_ms, cpu_ms }: Rounds): number {
  return cpu_ms / times_ms.length;
}

function describeRounds(rounds: Rounds): string {
  const { p50, p99 } = percentilesOf(rounds.times_ms);
  const cpu = `${cpuOfOne(rounds).toFixed(2)} ms of CPU`;
  return `${rounds.times_ms.length} searches, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${cpu} each`;
}
