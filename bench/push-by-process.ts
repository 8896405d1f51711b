import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { createGitSource, type GitSource } from '@catalog/server/adapters/source/git/git-source';
import { layerRecord } from '@catalog/testkit/layer-record';
import { median, type Measurement } from './benchmark.ts';
import { measureSuccess } from './measure-command.ts';
import { plainEnvironment } from './program.ts';

const ROUNDS = 5;
const OTHER_AT_MOST = 1.3;
const NEW_AT_MOST = 1;
const MEBIBYTE = 1024 * 1024;

export interface PushedRepository {
  url: string;
  /** Pushes a change of one file. */
  push: () => void;
}

export interface ProcessTimes {
  parts: Measurement[];
  notes: string[];
}

/**
 * Compares the time to read a push by the process that read the one before, by another process, and by
 * a new one. Each process has its own copy of the repository, and the state of the layer is shared.
 */
export async function timeByProcess(
  n: number,
  { url, push }: PushedRepository,
  folder: string,
): Promise<ProcessTimes> {
  let layer = layerRecord({ source_type: 'git', repo: url, ref: 'main' });
  const times = { same: [0], other: [0], new: [0], history: [0] };
  const open = (name: string): GitSource => openSource(join(folder, name));
  const [one, two] = [open('one'), open('two')];

  async function read(source: GitSource): Promise<number> {
    const began = performance.now();
    const reading = await source.read(
      1,
      layer,
      { full: false, retry: [] },
      new AbortController().signal,
    );
    const ms = performance.now() - began;
    const count = reading.snapshot.packages.length;
    if (layer.source_state !== null && (reading.complete || count > 1)) {
      throw new Error(`a push of one artifact was read as ${count}`);
    }
    layer = { ...layer, source_state: reading.source_state } satisfies LayerRecord;
    return ms;
  }

  async function pushTo(source: GitSource): Promise<number> {
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
    // The first round warms all of them.
    if (round === 0) Object.assign(times, { same: [], other: [], new: [], history: [] });
    times.same.push(same);
    times.other.push(other);
    times.new.push(created);
    times.history.push(history);
    await read(one);
  }
  await Promise.all([one.close(), two.close()]);
  const same = median(times.same);
  const allowed = same + median(times.history);
  const part = (name: string, value: number, baseline: number, most: number): Measurement => ({
    name: `ingest-push-${name}`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    cpu_ratio: null,
    n,
    goal: `ratio <= ${most}`,
    met: value / baseline <= most,
  });
  const rounded = (all: readonly number[]): string => all.map(Math.round).join(', ');
  return {
    parts: [
      part('other-process', median(times.other), same, OTHER_AT_MOST),
      part('new-process', median(times.new), allowed, NEW_AT_MOST),
    ],
    notes: [
      `reading a push: same process ${rounded(times.same)} ms, another process ${rounded(times.other)} ms, a new process ${rounded(times.new)} ms`,
      `baseline of a new process: the same process, and \`git clone --bare\` that checks every object (${rounded(times.history)} ms)`,
    ],
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

function cloneHistory(url: string, folder: string): number {
  const target = join(folder, 'history.git');
  mkdirSync(folder, { recursive: true });
  // As the registry fetches: every object is checked, by one thread.
  const checked = ['-c', 'transfer.fsckObjects=true', '-c', 'pack.threads=1'];
  const words = ['git', ...checked, 'clone', '--quiet', '--bare', url, target];
  const { wall_ms } = measureSuccess(words, { env: plainEnvironment(folder) });
  rmSync(target, { recursive: true, force: true });
  return wall_ms;
}
