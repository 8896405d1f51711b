import { setTimeout as delay } from 'node:timers/promises';
import { health } from '@catalog/contract/records/operations';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import type { PostgresCluster } from '../../../tools/services/postgres-cluster.ts';
import { sendAndExpect } from '../serve-kill/client.ts';
import type { Editions } from '../serve-kill/source.ts';
import { READERS, startReaders, type Readers } from './readers.ts';
import { findLosses, NUMBERED, startWriters, type Acknowledged, type Writers } from './writers.ts';

export interface Stage {
  cluster: PostgresCluster;
  url: string;
  folder: string;
  editions: Editions;
  acknowledged: Acknowledged;
  paths: readonly string[];
  random: SeededRandom;
  stated_ms: number;
}

export interface Round {
  faults: string[];
  /** Times from the kill to read-only mode, and from the promotion to normal mode. */
  entered_ms: number;
  returned_ms: number;
  reads: number;
  /** Number of reads that failed because they were in progress at the kill. */
  cut: number;
  writes: number;
  refused: number;
}

/** Maximum duration of the load before the kill; the next constants are for each mode after it. */
const MAX_LOAD_MS = 2000;
const READ_ONLY_MS = 500;
const AFTER_MS = 300;
/** Time limit for the return to normal mode: three probes on a busy machine. */
const RETURN_MS = 15_000;
const POLL_INTERVAL_MS = 10;

export async function playRound(stage: Stage): Promise<Round> {
  const { cluster, url, random } = stage;
  const [standby] = cluster.standbys;
  if (standby === undefined) throw new Error('the cluster has no standby');
  const old = cluster.primary;
  const readers = startReaders(url, stage.paths, random);
  const writers = startWriters(url, stage.folder, stage.editions, stage.acknowledged);
  await delay(random.int(MAX_LOAD_MS));

  const killed_ms = performance.now();
  await old.kill('SIGKILL');
  const entered_ms = await untilMode(url, 'read_only', stage.stated_ms * 2);
  const read_only_from = performance.now();
  await delay(READ_ONLY_MS);
  await until('a write is refused', () =>
    writers.refusals.some(({ began_ms }) => began_ms > read_only_from),
  );
  const read_only_until = performance.now();
  const done_before = writers.done;
  await cluster.promote(standby);
  const returned_ms = await untilMode(url, 'ready', RETURN_MS);
  await delay(AFTER_MS);
  await until('writes are taken again', () => writers.done > done_before + NUMBERED.length);
  await Promise.all([readers.stop(), writers.stop()]);

  const faults = [
    ...(entered_ms <= stage.stated_ms ? [] : [`read-only after ${Math.round(entered_ms)} ms`]),
    ...findReadFaults(readers, killed_ms),
    ...findWriteFaults(writers, { killed_ms, read_only_from, read_only_until }),
    ...(await findLosses(url, stage.acknowledged)),
  ];
  await cluster.follow(old);
  return {
    faults,
    entered_ms,
    returned_ms,
    reads: readers.answered,
    cut: readers.failed.length,
    writes: writers.done,
    refused: writers.refusals.length,
  };
}

async function untilMode(url: string, mode: string, longest_ms: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const found = await sendAndExpect(`${url}/healthz`, [200, health]);
    const taken = performance.now() - began;
    if (found.mode === mode) return taken;
    if (taken > longest_ms) throw new Error(`still ${found.mode} after ${Math.round(taken)} ms`);
    await delay(POLL_INTERVAL_MS);
  }
}

async function until(what: string, happened: () => boolean): Promise<void> {
  const give_up_at = performance.now() + RETURN_MS;
  while (!happened()) {
    if (performance.now() > give_up_at) throw new Error(`it took too long until ${what}`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Returns failed reads, except one per connection that was in progress at the kill. */
export function findReadFaults(
  { failed, wrong }: Pick<Readers, 'failed' | 'wrong'>,
  killed_ms: number,
): string[] {
  const later = failed.filter(({ began_ms }) => began_ms > killed_ms);
  const faults = [...wrong, ...later.map(({ what }) => `a read failed: ${what}`)];
  if (failed.length - later.length > READERS) faults.push(`${failed.length} reads were cut`);
  return faults;
}

/** Returns failures before the kill, and results in read-only mode other than its error code. */
export function findWriteFaults(
  { refusals }: Pick<Writers, 'refusals'>,
  times: { killed_ms: number; read_only_from: number; read_only_until: number },
): string[] {
  const faults: string[] = [];
  let refused = 0;
  for (const { began_ms, ended_ms, status, code } of refusals) {
    const answer = `a write was answered ${status} ${code}`;
    const isReadOnly = status === 503 && code === 'registry.read_only';
    const isUnavailable = status === 500 && code === 'registry.unavailable';
    if (ended_ms < times.killed_ms) faults.push(`${answer} before the kill`);
    else if (!isReadOnly && !isUnavailable) faults.push(answer);
    else if (began_ms > times.read_only_from && ended_ms < times.read_only_until) {
      if (isReadOnly) refused += 1;
      else faults.push(`${answer} in read-only mode`);
    }
  }
  if (refused === 0) faults.push('no write was refused in read-only mode');
  return faults;
}
