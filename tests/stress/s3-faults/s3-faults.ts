import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readiness } from '@catalog/contract/records/operations';
import { summarizeLines, measurementOfFailures, type RunResult } from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { STORE_FAULTS, type StoreFault } from './faults.ts';
import { openStage, type Stage } from './stage.ts';
import {
  findMissingBytes,
  ingest,
  nextEdition,
  publish,
  recover,
  runTrial,
  type Edition,
} from './trial.ts';

/** From this size on, the outage of the store is as long as in the claim. */
const FULL_SIZE = 100;
const MINUTE_MS = 60_000;
const MOMENT_MS = 2_000;
const NOTICE_MS = 10_000;

export const s3Faults = singleRun({
  name: 's3-faults',
  summary:
    'Runs with an object store that is slow, rejects requests, cuts connections, changes bytes, reports wrong checksums and sizes, hangs, or is unavailable for a minute. The registry must never serve a version whose bytes are missing, never serve or write corrupt bytes as complete, return the documented code for each failure, and recover with the store.',
  servers: true,
  n: 150,
  small_n: STORE_FAULTS.length,
  run: async ({ n, seed, folder }) => {
    const stage = await openStage(folder);
    try {
      return await play(stage, n, seed, folder);
    } finally {
      await stage.close();
    }
  },
});

async function play(stage: Stage, n: number, seed: string, folder: string): Promise<RunResult> {
  const random = seededRandom(`s3-faults ${seed}`);
  const served = new Map<string, Edition>();
  const taken: Edition[] = [];
  const failures: string[] = [];
  const counts = { ingests: 0, syncs: 0 };
  for (let number = 0; number < n; number += 1) {
    // Plays every fault once in order, then random ones.
    const fault = STORE_FAULTS[number] ?? random.pick(STORE_FAULTS);
    const edition = nextEdition(number);
    const outcome = await runTrial(stage, folder, fault, edition, served);
    taken.push(edition);
    if (outcome.ingest === 'refused') counts.ingests += 1;
    if (outcome.sync === 'refused') counts.syncs += 1;
    if (outcome.faults.length > 0) {
      failures.push(
        `trial ${number}, a store that ${fault.name}: ${summarizeLines(outcome.faults)}`,
      );
    }
  }
  const away_ms = n >= FULL_SIZE ? MINUTE_MS : MOMENT_MS;
  const last = nextEdition(n);
  failures.push(...(await findAbsenceFaults(stage, folder, last, served, away_ms)));
  taken.push(last);
  if (n >= FULL_SIZE) failures.push(...(await findHangFaults(stage, folder, n + 1, served)));
  for (const { id, version } of taken) {
    failures.push(...(await findMissingBytes(stage, id, version)).faults);
  }
  return {
    ...measurementOfFailures('s3-faults', n, failures.length),
    notes: [
      `${STORE_FAULTS.length} faults; ${counts.ingests} ingests and ${counts.syncs} syncs of ${n} failed with the documented codes and succeeded after the store recovered; seed ${seed}`,
      `${taken.length} versions complete, read directly from the store; the store was unavailable for ${away_ms / 1000} s`,
      ...failures,
    ],
  };
}

/** Checks which operations need the store, and that the registry recovers automatically. */
async function findAbsenceFaults(
  stage: Stage,
  folder: string,
  edition: Edition,
  served: Map<string, Edition>,
  away_ms: number,
): Promise<string[]> {
  const faults: string[] = [];
  const [known] = served.keys();
  await stage.line.setEnabled(false);
  publish(stage, edition);
  for (const end = performance.now() + away_ms; performance.now() < end; await delay(200)) {
    const { code } = await ingest(stage);
    if (code !== 'ingest.resource_store_failed') faults.push(`an ingest ended with ${code}`);
    const { faults: missing, version } = await findMissingBytes(stage, known ?? '');
    if (version === undefined) missing.push(`${known} was not served`);
    faults.push(...missing);
    const search = await fetch(`${stage.url}/v1/search_artifacts?query=model`);
    if (search.status !== 200) faults.push(`a search answered ${search.status}`);
    const { status } = await fetch(`${stage.url}/readyz`);
    if (status !== 200) faults.push(`/readyz answered ${status}`);
  }
  if (!(await isReported(stage, ['object_store']))) faults.push('/readyz never reported it');
  await stage.line.setEnabled(true);
  if (!(await isReported(stage, undefined))) faults.push('/readyz still reports it');
  faults.push(...(await recover(stage, folder, edition, served)));
  return faults.map((fault) => `the store was gone: ${fault}`);
}

/** True if `/readyz` reports exactly these parts as degraded within the time limit. */
async function isReported(stage: Stage, degraded: string[] | undefined): Promise<boolean> {
  const end = performance.now() + NOTICE_MS;
  while (performance.now() < end) {
    const response = await fetch(`${stage.url}/readyz`);
    const body = readiness.parse(await response.json());
    if (response.status === 200 && isDeepStrictEqual(body.degraded, degraded)) return true;
    await delay(100);
  }
  return false;
}

/** Checks that an ingest into a store without responses times out and blocks no others forever. */
async function findHangFaults(
  stage: Stage,
  folder: string,
  number: number,
  served: Map<string, Edition>,
): Promise<string[]> {
  const edition = nextEdition(number);
  const hang: StoreFault = {
    name: 'hangs',
    toxics: [{ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } }],
  };
  await stage.play(hang);
  publish(stage, edition);
  const { code } = await ingest(stage);
  await stage.play(undefined);
  const faults = await recover(stage, folder, edition, served);
  if (code !== 'ingest.resource_store_failed') faults.push(`an ingest ended with ${code}`);
  return faults.map((fault) => `the store hung: ${fault}`);
}
