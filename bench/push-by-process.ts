import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { createGitSource, type GitSource } from '@catalog/server/adapters/source/git/git-source';
import { layerRecord } from '@catalog/testkit/layer-record';
import { median, type Measurement } from './benchmark.ts';
import { measureSuccess } from './measure-command.ts';
import { plainEnvironment } from './program.ts';
import { cpuWithChildren } from './registry-process.ts';

const ROUNDS = 5;
const MAX_OTHER_RATIO = 1.3;
const MAX_NEW_RATIO = 1;
const MEBIBYTE = 1024 * 1024;

export interface PushedRepository {
  url: string;
  push: () => void;
}

interface Cost {
  wall_ms: number;
  cpu_ms: number;
}

type Round = Record<'same' | 'other' | 'new' | 'history', Cost>;

export interface ProcessTimes {
  parts: Measurement[];
  notes: string[];
}

/**
 * Compares reading a push in the process that read the previous one, in another process, and in a new
 * one. Each process has its own copy of the repository; the layer's state is shared.
 */
export async function timeByProcess(
  n: number,
  { url, push }: PushedRepository,
  folder: string,
): Promise<ProcessTimes> {
  let layer = layerRecord({ source_type: 'git', repo: url, ref: 'main' });
  const rounds: Round[] = [];
  let max_artifacts = 0;
  const open = (name: string): GitSource => openSource(join(folder, name));
  const [one, two] = [open('one'), open('two')];

  async function read(source: GitSource): Promise<Cost> {
    const cpu = cpuWithChildren(process.pid);
    const began = performance.now();
    const reading = await source.read(
      1,
      layer,
      { full: false, retry: [] },
      new AbortController().signal,
    );
    const wall_ms = performance.now() - began;
    const cpu_ms = cpuWithChildren(process.pid) - cpu;
    if (layer.source_state !== null) {
      max_artifacts = Math.max(max_artifacts, reading.snapshot.packages.length);
    }
    layer = { ...layer, source_state: reading.source_state } satisfies LayerRecord;
    return { wall_ms, cpu_ms };
  }

  async function pushTo(source: GitSource): Promise<Cost> {
    push();
    return read(source);
  }

  await read(one);
  await read(two);
  for (let round = 0; round <= ROUNDS; round += 1) {
    await pushTo(one);
    const same = await pushTo(one);
    const other = await pushTo(two);
    const fresh = open('new');
    const created = await pushTo(fresh);
    await fresh.close();
    const history = cloneHistory(url, folder);
    rmSync(join(folder, 'new'), { recursive: true, force: true });
    if (round > 0) rounds.push({ same, other, new: created, history });
    await read(one);
  }
  await Promise.all([one.close(), two.close()]);
  const timesOf = (name: keyof Round): string =>
    rounds.map((round) => Math.round(round[name].wall_ms)).join(', ');
  return {
    parts: [
      comparePart('other-process', n, MAX_OTHER_RATIO, rounds, ({ other, same }) => [other, same]),
      comparePart('new-process', n, MAX_NEW_RATIO, rounds, ({ new: created, same, history }) => [
        created,
        { wall_ms: same.wall_ms + history.wall_ms, cpu_ms: same.cpu_ms + history.cpu_ms },
      ]),
      {
        name: 'ingest-push-artifacts-read',
        value: max_artifacts,
        unit: 'artifacts at most',
        baseline: null,
        ratio: null,
        cpu_ratio: null,
        n,
        goal: 'value <= 1',
        met: max_artifacts <= 1,
      },
    ],
    notes: [
      `reading a push: same process ${timesOf('same')} ms, another process ${timesOf('other')} ms, a new process ${timesOf('new')} ms`,
      `baseline of a new process: the same process, and \`git clone --bare\` that checks every object (${timesOf('history')} ms)`,
      'ratios between processes are medians over rounds, and CPU includes git',
    ],
  };
}

/** Compares two costs within each round, because they are close in time. */
function comparePart(
  name: string,
  n: number,
  max_ratio: number,
  rounds: readonly Round[],
  pairOf: (round: Round) => [subject: Cost, baseline: Cost],
): Measurement {
  const pairs = rounds.map(pairOf);
  const ratio = median(pairs.map(([subject, baseline]) => subject.wall_ms / baseline.wall_ms));
  return {
    name: `ingest-push-${name}`,
    value: median(pairs.map(([subject]) => subject.wall_ms)),
    unit: 'ms',
    baseline: median(pairs.map(([, baseline]) => baseline.wall_ms)),
    ratio,
    cpu_ratio: median(pairs.map(([subject, baseline]) => subject.cpu_ms / baseline.cpu_ms)),
    n,
    goal: `ratio <= ${max_ratio}`,
    met: ratio <= max_ratio,
  };
}

function openSource(folder: string): GitSource {
  const time_ms = 600_000;
  return createGitSource({
    folder,
    search_path: process.env['PATH'] ?? '',
    egress: {
      allowed_hosts: ['127.0.0.1'],
      proxy: { http: undefined, https: undefined, except: [] },
      ca_file: undefined,
    },
    resolve: async () => [],
    credentials: [],
    known_hosts: undefined,
    limits: {
      bytes: 1024 * MEBIBYTE,
      files: 1_000_000,
      time_ms,
      personal_time_ms: time_ms,
      probe_time_ms: time_ms,
      connect_time_ms: time_ms,
    },
  });
}

function cloneHistory(url: string, folder: string): Cost {
  const target = join(folder, 'history.git');
  mkdirSync(folder, { recursive: true });
  // The registry fetches with the same options: it checks every object, in one thread.
  const checked = ['-c', 'transfer.fsckObjects=true', '-c', 'pack.threads=1'];
  const words = ['git', ...checked, 'clone', '--quiet', '--bare', url, target];
  const cost = measureSuccess(words, { env: plainEnvironment(folder) });
  rmSync(target, { recursive: true, force: true });
  return cost;
}
