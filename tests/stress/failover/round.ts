import { setTimeout as delay } from 'node:timers/promises';
import { health } from '@catalog/contract/records/operations';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import type { PostgresCluster } from '../../../tools/services/postgres-cluster.ts';
import { askSurely } from '../serve-kill/client.ts';
import type { Editions } from '../serve-kill/source.ts';
import { READERS, startReaders, type Readers } from './readers.ts';
import { findLosses, NUMBERED, startWriters, type Acknowledged, type Writers } from './writers.ts';

/** What a round works with; the same over all of them. */
export interface Stage {
  cluster: PostgresCluster;
  /** The registry. */
  url: string;
  /** The folder of the layer that is edited. */
  folder: string;
  editions: Editions;
  acknowledged: Acknowledged;
  /** Artifacts that are there from the start. */
  paths: readonly string[];
  random: SeededRandom;
  /** The longest the registry may take to notice. */
  stated_ms: number;
}

export interface Round {
  faults: string[];
  /** From the kill to read-only mode, and from the promotion back to writing. */
  entered_ms: number;
  returned_ms: number;
  reads: number;
  /** Reads that were under way at the kill and failed. */
  cut: number;
  writes: number;
  refused: number;
}

/** How long the work goes on before the kill at most, and in each mode after it. */
const LONGEST_LIFE_MS = 2000;
const READ_ONLY_MS = 500;
const AFTER_MS = 300;
/** How long the mode may take to return: three probes, and a machine that does other things. */
const RETURN_MS = 15_000;
/** Between two looks at the mode. */
const LOOK_MS = 10;

/** Kills the primary under load, promotes the standby, looks what is left, and makes the old one a standby. */
export async function playRound(stage: Stage): Promise<Round> {
  const { cluster, url, random } = stage;
  const [standby] = cluster.standbys;
  if (standby === undefined) throw new Error('the cluster has no standby');
  const old = cluster.primary;
  const readers = startReaders(url, stage.paths, random);
  const writers = startWriters(url, stage.folder, stage.editions, stage.acknowledged);
  await delay(random.int(LONGEST_LIFE_MS));

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
    const found = await askSurely(`${url}/healthz`, [200, health]);
    const taken = performance.now() - began;
    if (found.mode === mode) return taken;
    if (taken > longest_ms) throw new Error(`still ${found.mode} after ${Math.round(taken)} ms`);
    await delay(LOOK_MS);
  }
}

async function until(what: string, happened: () => boolean): Promise<void> {
  const give_up_at = performance.now() + RETURN_MS;
  while (!happened()) {
    if (performance.now() > give_up_at) throw new Error(`it took too long until ${what}`);
    await delay(LOOK_MS);
  }
}

/** Of each connection, the read that was under way at the kill may fail; no other. */
export function findReadFaults(
  { failed, wrong }: Pick<Readers, 'failed' | 'wrong'>,
  killed_ms: number,
): string[] {
  const later = failed.filter(({ began_ms }) => began_ms > killed_ms);
  const faults = [...wrong, ...later.map(({ what }) => `a read failed: ${what}`)];
  if (failed.length - later.length > READERS) faults.push(`${failed.length} reads were cut`);
  return faults;
}

/** Nothing is refused before the kill, and everything with its code while the mode says so. */
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
