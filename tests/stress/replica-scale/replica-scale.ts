import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { summarizeLines, measurementOfFailures, type RunResult } from '../../../bench/benchmark.ts';
import { withDatabase } from '../../../bench/with-database.ts';
import { checkLayers, checkPublished, findFaults } from '../serve-kill/check.ts';
import { emptyHistory, findEventFaults, lastCursor, type History } from '../serve-kill/history.ts';
import { prepareLayers } from '../serve-kill/prepare-layers.ts';
import {
  changeLayer,
  editAndIngest,
  followEvents,
  pushAndDeliver,
  type WorkloadState,
} from '../serve-kill/workload.ts';
import { singleRun } from '../single-run.ts';
import {
  checkLeadership,
  findOverlaps,
  recordIngests,
  newestCursor,
  openVisibilityChecks,
  type SeenIngests,
} from './check-fleet.ts';
import { openFleet, type Fleet } from './fleet.ts';

const PROCESSES = 3;
const SUBSCRIBERS = 6;
const BETWEEN_KILLS_MS = 2_000;
/**
 * A sweep keeps only the newest hundred ingests of a layer, so checks must run before it removes
 * older ones.
 */
const KILLS_BETWEEN_CHECKS = 10;
const TIMEOUT_MS = 15_000;
/**
 * Delay after a missing response, until the database has completed or rolled back the statements of
 * the killed process.
 */
const SETTLE_MS = 500;

export const replicaScale = singleRun({
  name: 'replica-scale',
  summary:
    'Kills one of three processes on one PostgreSQL every 2 s, behind a load balancer, during ingests, layer changes and webhook deliveries. Every subscriber must receive every event once, and only one ingest of a layer and one sweep may run at a time. An acknowledged change must be visible to the next request on every process, and no acknowledged change may be lost.',
  servers: true,
  n: 150,
  small_n: 3,
  run: async ({ n, seed, folder }) => {
    const git = await startGitServer(join(folder, 'git'));
    try {
      return await withDatabase(async (env) => {
        const allowed = { CATALOG_EGRESS_ALLOWED_HOSTS: git.host };
        const fleet = await openFleet(join(folder, 'home'), PROCESSES, { ...env, ...allowed });
        try {
          return await killRegularly(n, seed, folder, git, fleet);
        } finally {
          await fleet.close();
        }
      });
    } finally {
      await git.close();
    }
  },
});

async function killRegularly(
  n: number,
  seed: string,
  folder: string,
  git: GitServer,
  fleet: Fleet,
): Promise<RunResult> {
  const surroundings = await prepareLayers(fleet.url, `replica-scale ${seed}`, folder, git);
  const { history, unexpected } = surroundings;
  const visibilityChecks = openVisibilityChecks(fleet, unexpected);
  const seen: SeenIngests = new Map();
  const subscribers = Array.from({ length: SUBSCRIBERS }, () => emptyHistory());
  const end = new AbortController();
  const following = subscribers.map((subscriber) =>
    follow(fleet, subscriber, end.signal, unexpected),
  );
  const failures: string[] = [];
  for (let killed = 0; killed < n; killed += KILLS_BETWEEN_CHECKS) {
    const stop = new AbortController();
    const working = work(fleet, { ...surroundings, ...visibilityChecks }, seen, stop.signal);
    await delay(BETWEEN_KILLS_MS);
    for (let kill = killed; kill < Math.min(n, killed + KILLS_BETWEEN_CHECKS); kill += 1) {
      await Promise.all([delay(BETWEEN_KILLS_MS), fleet.replaceOne()]);
    }
    stop.abort();
    await working;
    failures.push(...(await findFaults(fleet.url, surroundings)));
  }
  failures.push(...unexpected);
  failures.push(...(await checkPublished(fleet.url, history.published)));
  await recordIngests(fleet.url, seen);
  failures.push(...(await checkSubscribers(fleet, subscribers, history)));
  end.abort();
  await fleet.close();
  await Promise.all(following);
  const lines = fleet.listLines();
  const leadership = checkLeadership(lines);
  failures.push(...leadership.faults, ...findOverlaps(lines, seen));
  return {
    ...measurementOfFailures('replica-scale', n, failures.length),
    notes: [
      `${PROCESSES} processes, ${n} kills with SIGKILL, one every ${BETWEEN_KILLS_MS} ms, each process replaced; seed ${seed}`,
      `${history.published.size} versions acknowledged, ${seen.size} ingests, ${history.interrupted.size} taken over from a killed process`,
      `${SUBSCRIBERS} subscribers read ${subscribers[0]?.events.length ?? 0} events each, without gaps or duplicates`,
      `${visibilityChecks.checks} reads on other processes immediately after an acknowledgment`,
      `${leadership.terms} processes ran the sweep, one at a time; the longest gap was ${leadership.longest_gap_ms} ms`,
      ...(fleet.refused_starts.length === 0
        ? []
        : [
            `${fleet.refused_starts.length} starts were rejected and retried: ${summarizeLines(fleet.refused_starts)}`,
          ]),
      ...(failures.length === 0 ? [] : [summarizeLines(failures), ...failures.slice(1, 20)]),
    ],
  };
}

/** Runs three kinds of work until the signal fires, and repeats requests without a response. */
async function work(
  { url }: Fleet,
  surroundings: WorkloadState,
  seen: SeenIngests,
  signal: AbortSignal,
): Promise<void> {
  async function repeat(step: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted) if (!(await step())) await delay(SETTLE_MS);
  }
  await Promise.all([
    repeat(() => editAndIngest(url, surroundings)),
    repeat(() => pushAndDeliver(url, surroundings)),
    repeat(async () => {
      if (await changeLayer(url, surroundings)) return true;
      await delay(SETTLE_MS);
      surroundings.unexpected.push(...(await settleLayers(url, surroundings.history)));
      return true;
    }),
    repeat(async () => {
      await recordIngests(url, seen);
      return false;
    }),
  ]);
}

async function settleLayers(url: string, history: History): Promise<string[]> {
  for (;;) {
    const faults = await checkLayers(url, history).catch(() => undefined);
    if (faults !== undefined) return faults;
  }
}

/** Follows the stream with its cursor, from any process that the load balancer selects. */
async function follow(
  { url }: Fleet,
  subscriber: History,
  signal: AbortSignal,
  unexpected: string[],
): Promise<void> {
  while (!signal.aborted) {
    await followEvents(url, subscriber).catch((error: unknown) => {
      unexpected.push(`a subscriber got ${String(error)}`);
    });
    await delay(10);
  }
}

async function checkSubscribers(
  { url }: Fleet,
  subscribers: readonly History[],
  { published }: History,
): Promise<string[]> {
  const newest = await newestCursor(url);
  const give_up_at = performance.now() + TIMEOUT_MS;
  while (subscribers.some((subscriber) => Number(lastCursor(subscriber)) < Number(newest))) {
    if (performance.now() > give_up_at) {
      const cursors = subscribers.map(lastCursor).join(', ');
      return [`the newest event is ${newest}, and subscribers have had ${cursors}`];
    }
    await delay(50);
  }
  return subscribers.flatMap(({ events }) => findEventFaults(events, published));
}
