import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { registeredLayer } from '@catalog/contract/records/layer';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import {
  summarizeLines,
  measurementOfFailures,
  median,
  type RunResult,
} from '../../../bench/benchmark.ts';
import { startRegistryProcess, untilIngested } from '../../../bench/registry-process.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import {
  startPostgresCluster,
  type PostgresCluster,
} from '../../../tools/services/postgres-cluster.ts';
import { sendAndExpect } from '../serve-kill/client.ts';
import { emptyHistory, findEventFaults } from '../serve-kill/history.ts';
import { createEditions, writeArtifact } from '../serve-kill/source.ts';
import { followEvents, LOCAL_LAYER } from '../serve-kill/workload.ts';
import { singleRun } from '../single-run.ts';
import { playRound, type Round, type Stage } from './round.ts';
import { NUMBERED } from './writers.ts';

const PROBE_INTERVAL_SECONDS = 1;
const PROBE_FAILURES = 3;
/** Documented limit: the number of probes, and the timeout of the last one. */
const DOCUMENTED_MS = (PROBE_FAILURES + 0.8) * PROBE_INTERVAL_SECONDS * 1000;
const FIRST_ARTIFACTS = 6;
const QUIET_MS = 2_000;

export const failover = singleRun({
  name: 'failover',
  summary:
    'Kills the primary PostgreSQL under reads and writes, promotes its synchronous standby, and turns the old primary into a standby for the next round. The registry must become read-only within the documented time, fail no reads except those in flight at the kill, reject writes with the documented code, keep everything it acknowledged, and deliver every event once.',
  alone: true,
  n: 20,
  small_n: 1,
  run: async ({ n, seed, folder }) => {
    const cluster = await startPostgresCluster({ folder, standbys: 1, synchronous: true });
    try {
      return await failOver(n, seed, folder, cluster);
    } finally {
      await cluster.stop();
    }
  },
});

async function failOver(
  n: number,
  seed: string,
  folder: string,
  cluster: PostgresCluster,
): Promise<RunResult> {
  await createClusterDatabase(cluster.primary.dsn);
  const home = join(folder, 'home');
  mkdirSync(home);
  const registry = await startRegistryProcess(home, {
    env: {
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: clusterDsn(cluster.primary.dsn),
      CATALOG_POSTGRES_REPLICA_DSNS: cluster.standbys.map(({ dsn }) => clusterDsn(dsn)).join(','),
      CATALOG_READONLY_PROBE_INTERVAL: String(PROBE_INTERVAL_SECONDS),
      CATALOG_READONLY_PROBE_FAILURES: String(PROBE_FAILURES),
    },
  });
  try {
    const stage = await prepare(registry.url, seed, folder, cluster);
    const history = emptyHistory();
    const reading = followEvents(registry.url, history);
    const rounds: Round[] = [];
    for (let round = 0; round < n; round += 1) rounds.push(await playRound(stage));
    await delay(QUIET_MS);
    await registry.stop();
    await reading;
    const { published } = stage.acknowledged;
    return toResult(
      rounds,
      findEventFaults(history.events, published),
      history.events.length,
      seed,
    );
  } finally {
    await registry.kill();
  }
}

async function prepare(
  url: string,
  seed: string,
  folder: string,
  cluster: PostgresCluster,
): Promise<Stage> {
  const editions = createEditions();
  const source = join(folder, 'source');
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const first = Array.from({ length: FIRST_ARTIFACTS }, () => editions.next('local'));
  for (const { path, files } of first) writeArtifact(source, path, files);
  const register = (id: string, local_path: string) =>
    sendAndExpect(`${url}/v1/layers`, [201, registeredLayer], {
      method: 'POST',
      json: { id, source_type: 'local', local_path },
    });
  await register(LOCAL_LAYER, source);
  for (const id of NUMBERED) await register(id, empty);
  await untilIngested(url);
  return {
    cluster,
    url,
    folder: source,
    editions,
    acknowledged: { numbers: new Map(), published: new Set() },
    paths: first.map(({ path }) => path),
    random: seededRandom(`failover ${seed}`),
    stated_ms: DOCUMENTED_MS,
  };
}

function toResult(
  rounds: readonly Round[],
  eventFaults: readonly string[],
  events: number,
  seed: string,
): RunResult {
  const failures = rounds.flatMap(({ faults }, at) =>
    faults.length === 0 ? [] : [`round ${at}: ${summarizeLines(faults)}`],
  );
  if (eventFaults.length > 0) failures.push(`events: ${summarizeLines(eventFaults)}`);
  const sum = (of: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + of(round), 0);
  const longest = (of: (round: Round) => number): number => Math.round(Math.max(...rounds.map(of)));
  const middle = (of: (round: Round) => number): number => Math.round(median(rounds.map(of)));
  const entered = (round: Round): number => round.entered_ms;
  const returned = (round: Round): number => round.returned_ms;
  return {
    ...measurementOfFailures('failover', rounds.length, failures.length),
    notes: [
      `${rounds.length} primaries killed, ${rounds.length} standbys promoted; seed ${seed}; ` +
        `probes every ${PROBE_INTERVAL_SECONDS} s, ${PROBE_FAILURES} failures`,
      `read-only after ${middle(entered)} ms, at most ${longest(entered)} (documented: ${DOCUMENTED_MS}); ` +
        `writable ${middle(returned)} ms after the promotion, at most ${longest(returned)}`,
      `${sum(({ reads }) => reads)} reads succeeded, ${sum(({ cut }) => cut)} failed; ` +
        `${sum(({ writes }) => writes)} writes acknowledged, ${sum(({ refused }) => refused)} rejected; ` +
        `${events} events on one stream`,
      ...failures,
    ],
  };
}
