import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  DEGRADABLE_PARTS,
  health,
  readiness,
  type Readiness,
} from '@catalog/contract/records/operations';
import type { ReverseProxyName } from '@catalog/testkit/reverse-proxy';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { StressResult, StressSession, StressTest } from '../stress-test.ts';
import {
  DATABASE_SERVERS,
  DEPENDENCIES,
  documentedOutcome,
  REQUEST_NAMES,
  REQUESTS,
  TITLES,
  type Dependency,
  type Fault,
  type RequestName,
} from './documented.ts';
import { findFault, isWorking, type Phases } from './judge.ts';
import { startLoad, type Load, type Member } from './load.ts';
import { openPlace, type Place } from './place.ts';
import { publishFirst, send, visitIssuer, type Clients } from './requests.ts';

/** The slowest case is a git host that hangs: git waits 30 s before an ingest fails. */
const MAX_NOTICE_MS = 120_000;
const POLL_INTERVAL_MS = 50;

interface Outage {
  dependency: Dependency;
  fault: Fault;
}

/** Every dependency refuses connections, then the database servers freeze, then every dependency hangs. */
const OUTAGES: readonly Outage[] = [
  ...DEPENDENCIES.map((dependency) => ({ dependency, fault: 'refuses' as const })),
  ...DATABASE_SERVERS.map((dependency) => ({ dependency, fault: 'freezes' as const })),
  ...DEPENDENCIES.map((dependency) => ({ dependency, fault: 'hangs' as const })),
];

export const outage: StressTest = {
  name: 'outage',
  servers: true,
  summary:
    'Each dependency of a standard registry becomes unavailable under load and recovers: every ' +
    'response is the one of docs/operations/outages.md, and /readyz names the dependency. While a ' +
    'database server is frozen, all clients use nginx or Caddy.',
  n: OUTAGES.length + DEPENDENCIES.length,
  bugs: 'tests/stress/outage/planted-bugs.json',
  bug_n: OUTAGES.length,
  timeout_ms: 300_000,
  open,
};

interface Scene {
  place: Place;
  clients: Clients;
}

function open(folder: string): StressSession {
  const opening = openScene(folder);
  return {
    opened: opening,
    play: async (seed) => play(seed, await opening),
    shrink: async (seed) => {
      const { problems } = await play(seed, await opening);
      const { dependency, fault } = outageOf(seed, seededRandom(seed));
      const steps = [`${TITLES[dependency]} ${fault} under load, and recovers`];
      return problems.length === 0 ? undefined : { steps, problems };
    },
    close: async () => (await opening).place.close(),
  };
}

async function openScene(folder: string): Promise<Scene> {
  const place = await openPlace(folder);
  let number = 0;
  try {
    await publishFirst(place);
    const clients: Clients = {
      place,
      next: () => (number += 1),
      acknowledged: new Set(),
    };
    return { place, clients };
  } catch (error) {
    await place.close();
    throw error;
  }
}

/**
 * Uses the last part of a seed, the number of the history: the first ones play each outage once, the
 * others a random one.
 */
function outageOf(seed: string, random: SeededRandom): Outage {
  return OUTAGES[Number(seed.split('-').at(-1))] ?? random.pick(OUTAGES);
}

async function play(seed: string, { place, clients }: Scene): Promise<StressResult> {
  const random = seededRandom(seed);
  const outage = outageOf(seed, random);
  const { dependency, fault } = outage;
  const { takeDown, bringBack } = place.dependencies[dependency];
  await untilReported(place, undefined);
  const proxies = fault === 'freezes' ? [...place.proxies.urls.keys()] : [];
  const load = startLoad(clients, await gatherMembers(place, dependency, proxies), random);
  const problems: string[] = [];
  let phases: Phases;
  try {
    await load.untilAllSent();
    const down_ms = performance.now();
    await takeDown(fault);
    try {
      await untilReported(place, dependency);
      const noticed_ms = performance.now();
      // Twice, because the registry tries the dependency again after the first failures.
      await load.untilAllSent();
      await load.untilAllSent();
      const up_ms = performance.now();
      await bringBack();
      await untilRecovered(place, load, proxies);
      phases = { down_ms, noticed_ms, up_ms, recovered_ms: performance.now() };
    } finally {
      await bringBack();
    }
    await load.untilAllSent();
  } finally {
    await load.stop();
  }
  for (const sent of load.sent) {
    const problem = findFault(sent, dependency, phases);
    if (problem !== undefined) problems.push(problem);
  }
  const through_proxies = load.sent.filter(({ proxy }) => proxy !== undefined).length;
  const ingests = clients.acknowledged.size;
  problems.push(...(await findLosses(clients)));
  return {
    counts: { outages: 1, requests: load.sent.length, ingests, through_proxies },
    problems: problems.slice(0, 10).map((problem) => `${dependency} ${fault}: ${problem}`),
  };
}

const CLIENTS = 4;

/**
 * Adds clients for each proxy: one for requests that work without the dependency, and one for health
 * checks. They are separate because a request that hangs delays the others of its client.
 */
async function gatherMembers(
  place: Place,
  dependency: Dependency,
  proxies: readonly ReverseProxyName[],
): Promise<Member[]> {
  const unaffected = REQUEST_NAMES.filter(
    (name) =>
      // A new session choice is also a write, which waits until the registry is read-only.
      name !== 'session' && documentedOutcome(name, dependency) === REQUESTS[name].works,
  );
  const members: Member[] = [];
  const add = async (index: number, names: readonly RequestName[], pause_ms: number) => {
    const proxy = proxies[index % proxies.length];
    members.push({ proxy, spare_return: await visitIssuer(place), names, pause_ms });
  };
  for (let index = 0; index < CLIENTS; index += 1) await add(index, REQUEST_NAMES, 10);
  for (let index = 0; index < Math.max(1, proxies.length); index += 1) {
    await add(index, unaffected, 100);
    await add(index, ['readyz'], 200);
  }
  return members;
}

/** Waits until the registry reports the outage of a dependency, or that it has none. */
async function untilReported(place: Place, dependency: Dependency | undefined): Promise<void> {
  let state: State | undefined;
  await until(
    async () => isReported((state = await readState(place)), dependency),
    () => `the registry reports ${JSON.stringify(state)}, not ${dependency ?? 'no outage'}`,
  );
}

interface State {
  status: number;
  mode: string;
  readiness: Readiness;
}

async function readState({ url }: Place): Promise<State> {
  const ready = await fetch(`${url}/readyz`);
  const alive = await fetch(`${url}/healthz`);
  return {
    status: ready.status,
    mode: health.parse(await alive.json()).mode,
    readiness: readiness.parse(await ready.json()),
  };
}

/** True if the state is the documented one; only the metrics report a lost standby. */
function isReported(
  { status, mode, readiness: { degraded } }: State,
  dependency: Dependency | undefined,
): boolean {
  const part = DEGRADABLE_PARTS.find((known) => known === dependency);
  if (!isDeepStrictEqual(degraded, part === undefined ? undefined : [part])) return false;
  if (dependency === 'database') return status === 503;
  return status === 200 && mode === (dependency === 'primary' ? 'read_only' : 'ready');
}

async function untilRecovered(
  place: Place,
  load: Load,
  proxies: readonly ReverseProxyName[],
): Promise<void> {
  const since = performance.now();
  await untilReported(place, undefined);
  await Promise.all(proxies.map((proxy) => untilAdmitted(place, proxy)));
  const isFailing = (name: RequestName): boolean =>
    !load.sent.some((sent) => sent.began_ms > since && sent.name === name && isWorking(sent));
  await until(
    async () => !REQUEST_NAMES.some(isFailing),
    () => `${REQUEST_NAMES.filter(isFailing).join(', ')} did not recover`,
  );
  place.issuer.markKnown();
}

/** Caddy's timeout of a health check: one that began before the recovery can fail this much later. */
const HEALTH_TIMEOUT_MS = 3_000;

/** Waits until a proxy sends requests to the registry and no earlier health check is in progress. */
async function untilAdmitted(place: Place, proxy: ReverseProxyName): Promise<void> {
  let failed_ms = performance.now();
  await until(
    async () => {
      const { status } = await send({ ...place, proxy }, '/readyz');
      if (status !== 200) failed_ms = performance.now();
      return performance.now() - failed_ms > HEALTH_TIMEOUT_MS;
    },
    () => `${proxy} does not send requests to the registry`,
  );
}

async function until(isTrue: () => Promise<boolean>, problem: () => string): Promise<void> {
  const latest = performance.now() + MAX_NOTICE_MS;
  while (!(await isTrue())) {
    if (performance.now() > latest) throw new Error(problem());
    await pause(POLL_INTERVAL_MS);
  }
}

async function findLosses({ place, acknowledged }: Clients): Promise<string[]> {
  const losses: string[] = [];
  for (const id of acknowledged) {
    const { status } = await send(place, `/v1/load_artifact?id=${id}`);
    if (status !== 200) losses.push(`the ingest of ${id} was acknowledged, but it is not served`);
  }
  acknowledged.clear();
  return losses;
}
