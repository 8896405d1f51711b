import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IngestJobs } from '@catalog/contract/records/ingest';
import { median, type Benchmark } from '../benchmark.ts';
import { startGitHost } from '../git-host-process.ts';
import { measureSuccess } from '../measure-command.ts';
import { plainEnvironment } from '../program.ts';
import { timeByProcess, type ProcessTimes } from '../push-by-process.ts';
import {
  cpuWithChildren,
  startRegistryProcess,
  untilEmbedded,
  type RegistryProcess,
} from '../registry-process.ts';

const ROUNDS = 7;
/** One word per push, which no other artifact contains. */
const WORDS = ['quokka', 'wombat', 'numbat', 'bilby', 'dingo', 'emu', 'koala', 'possum'];
const MAX_MS = 1000;
const MAX_RATIO = 4;

export const ingestPush: Benchmark = {
  name: 'ingest-push',
  summary:
    'Time from a push that changes one file in a git layer of n files until a search finds the change, compared with `git fetch` of the same push. Also the time to read a push in another process than the last one, and in a new one.',
  n: 100_000,
  small_n: 2_000,
  run: async ({ n, folder }) => {
    const git = await startGitHost(join(folder, 'git'));
    const repository = git.addRepository('skills.git');
    repository.commit(skills(n));
    repository.git('repack', '-adq');
    const clone = join(folder, 'clone.git');
    repository.git('clone', '--quiet', '--bare', repository.url, clone);
    const home = join(folder, 'home');
    mkdirSync(home);
    const registry = await startRegistryProcess(home, {
      env: { CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1' },
    });
    try {
      const deliver = await register(registry, repository.url);
      await untilEmbedded(registry.url);
      const rounds: Round[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const word = WORDS[round % WORDS.length] ?? '';
        const version = `1.1.${round}`;
        repository.commit({
          [`${placeOf(round)}/ARTIFACT.md`]: manifest(round, version, word),
        });
        const sides = [
          () => bareFetch(clone, folder),
          () => timePushToSearch(registry, deliver, { word, version }),
        ];
        const isTurned = round % 2 === 1;
        const first = await sides[isTurned ? 1 : 0]?.();
        const second = await sides[isTurned ? 0 : 1]?.();
        const [bare, subject] = isTurned ? [second, first] : [first, second];
        if (round > 0 && bare !== undefined && subject !== undefined)
          rounds.push({ bare, subject });
      }
      await registry.stop();
      let pushes = ROUNDS;
      const push = (): void => {
        pushes += 1;
        const text = manifest(pushes, `1.2.${pushes}`, 'usual');
        repository.commit({ [`${placeOf(pushes % (n / 2))}/ARTIFACT.md`]: text });
      };
      const processes = await timeByProcess(n, { url: repository.url, push }, folder);
      return resultOf(n, rounds, processes);
    } finally {
      await registry.stop();
      await git.stop();
    }
  },
};

interface Cost {
  wall_ms: number;
  cpu_ms: number;
}

interface Round {
  subject: Cost;
  bare: Cost;
}

function resultOf(
  n: number,
  rounds: readonly Round[],
  { parts, notes }: ProcessTimes,
): Awaited<ReturnType<Benchmark['run']>> {
  const value = median(rounds.map(({ subject }) => subject.wall_ms));
  const baseline = median(rounds.map(({ bare }) => bare.wall_ms));
  const cpu = median(rounds.map(({ subject }) => subject.cpu_ms));
  const bareCpu = median(rounds.map(({ bare }) => bare.cpu_ms));
  const ratio = value / baseline;
  const all = rounds.map(
    ({ subject, bare }) => `${Math.round(subject.wall_ms)}/${Math.round(bare.wall_ms)}`,
  );
  const whole = {
    name: 'ingest-push',
    value,
    unit: 'ms',
    baseline,
    ratio,
    cpu_ratio: cpu / bareCpu,
    n,
    goal: `value < ${MAX_MS}, ratio <= ${MAX_RATIO}`,
    met: value < MAX_MS && ratio <= MAX_RATIO,
  };
  return {
    ...whole,
    met: whole.met && parts.every(({ met }) => met),
    parts: [whole, ...parts],
    notes: [
      `${ROUNDS} pushes; time to the search / to the end of the fetch: ${all.join(', ')} ms`,
      `CPU: ${Math.round(cpu)} ms for the registry and its git processes, ${Math.round(bareCpu)} ms for the fetch`,
      'pushes are delivered by webhook; the search is repeated until it returns the new version',
      'baseline: git fetch into a bare clone with default settings',
      ...notes,
    ],
  };
}

function skills(n: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let index = 0; index * 2 < n; index += 1) {
    files[`${placeOf(index)}/ARTIFACT.md`] = manifest(index, '1.0.0', 'usual');
    files[`${placeOf(index)}/references/notes.md`] = `Notes about case ${index}.\n`.repeat(20);
  }
  return files;
}

function placeOf(index: number): string {
  return `area-${index % 50}/topic-${index % 1000}/case-${index}`;
}

function manifest(index: number, version: string, word: string): string {
  const description = `What to do about case ${index} on a ${word} day.`;
  const fields = `type: rule\nversion: ${version}\ndescription: ${description}\nrule_mode: always`;
  return `---\n${fields}\n---\n${'Do the steps in their order and write down what came of each. '.repeat(20)}\n`;
}

/** Waits for the first ingest; returns a function that delivers the webhook. */
async function register(registry: RegistryProcess, repo: string): Promise<() => Promise<void>> {
  const answer = await fetch(`${registry.url}/v1/layers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'skills', source_type: 'git', repo, ref: 'main' }),
  });
  const { webhook_url, webhook_secret }: { webhook_url: string; webhook_secret: string } =
    JSON.parse(await answer.text());
  await untilIngested(registry);
  const body = '{"ref":"refs/heads/main"}';
  const signature = createHmac('sha256', webhook_secret).update(body).digest('hex');
  return async () => {
    const headers = { 'x-hub-signature-256': `sha256=${signature}` };
    const taken = await fetch(webhook_url, { method: 'POST', headers, body });
    if (taken.status !== 202) throw new Error(await taken.text());
    await taken.arrayBuffer();
  };
}

async function untilIngested(registry: RegistryProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(`${registry.url}/v1/layers/ingests?id=skills`);
    const { ingests }: IngestJobs = JSON.parse(await answer.text());
    const [latest] = ingests;
    if (latest?.state === 'failed') throw new Error(latest.error?.message);
    if (latest?.state === 'done') return;
    await delay(100);
  }
}

async function timePushToSearch(
  registry: RegistryProcess,
  deliver: () => Promise<void>,
  { word, version }: { word: string; version: string },
): Promise<Cost> {
  const cpu = cpuWithChildren(registry.pid);
  const began = performance.now();
  await deliver();
  for (;;) {
    const answer = await fetch(`${registry.url}/v1/search_artifacts?query=${word}&top_k=1`);
    const { results }: { results: { version: string }[] } = JSON.parse(await answer.text());
    if (results[0]?.version === version) break;
    await delay(2);
  }
  return { wall_ms: performance.now() - began, cpu_ms: cpuWithChildren(registry.pid) - cpu };
}

async function bareFetch(clone: string, folder: string): Promise<Cost> {
  return measureSuccess(['git', '-C', clone, 'fetch', '--quiet', 'origin', 'main'], {
    env: plainEnvironment(folder),
  });
}
