import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { AuthoredPackage } from '@catalog/core/artifact/types';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { planArtifacts } from '@catalog/harness/plan';
import { harnessCapabilities, loadAdapter } from '@catalog/harness/registry';
import { hostileManifest } from '@catalog/testkit/hostile-manifests';
import { median } from '../../../bench/benchmark.ts';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { OUTSIDE_MARK, writeHostileFolder } from '../git-hostile/hostile-folder.ts';
import { singleRun } from '../single-run.ts';

const LIMIT_MS = 100;
/** Manifests per folder, because creating a folder takes a hundred times as long. */
const MANIFESTS_PER_FOLDER = 100;
const HONEST = '---\ntype: context\nversion: 1.0.0\ndescription: A plain one here.\n---\nText.\n';

const capabilities = harnessCapabilities();
const adapter = loadAdapter('harness-a');

export const manifestHostile = singleRun({
  name: 'manifest-hostile',
  summary:
    'Reads, lints, composes and plans generated hostile manifests and directories. The program must not crash, use a path outside the root, or spend more than 100 ms of CPU on one input, and must reject each with an error code.',
  n: 100_000,
  small_n: 2_000,
  run: ({ n, seed, folder }) => {
    const random = seededRandom(`manifest-hostile ${seed}`);
    const honest = Array.from(
      { length: 201 },
      () => measureInput(() => processLayers(oneManifest(HONEST))).cpu_ms,
    );
    const failures: string[] = [];
    let slowest = { cpu_ms: 0, name: 'nothing' };
    let refused = 0;
    for (let index = 0; index < n; index += 1) {
      const isFolder = index % MANIFESTS_PER_FOLDER === 0;
      const input = isFolder ? hostileFolder(folder, random) : hostileFile(random);
      const result = measureInput(input.read);
      if (isFolder) rmSync(join(folder, 'trick'), { recursive: true, force: true });
      if (result.cpu_ms > slowest.cpu_ms) slowest = { cpu_ms: result.cpu_ms, name: input.name };
      if (result.cpu_ms > LIMIT_MS)
        result.wrong.push(`took ${Math.round(result.cpu_ms)} ms of CPU`);
      if (result.refused) refused += 1;
      failures.push(...result.wrong.map((line) => `input ${index}, ${input.name}: ${line}`));
    }
    if ('polluted' in {}) failures.push('the prototype of all objects was changed');
    return {
      name: 'manifest-hostile',
      value: slowest.cpu_ms,
      unit: 'ms of CPU for the slowest',
      baseline: median(honest),
      ratio: null,
      cpu_ratio: slowest.cpu_ms / median(honest),
      n,
      goal: `value <= ${LIMIT_MS}, failures <= 0`,
      met: failures.length === 0,
      notes: [
        `${refused} of ${n} inputs were rejected with an error code, the others are harmless; seed ${seed}`,
        `slowest: ${slowest.name}; baseline: a valid manifest through the same functions`,
        `${failures.length} failures`,
        ...failures.slice(0, 50),
      ],
    };
  },
});

interface Outcome {
  wrong: string[];
  refused: boolean;
}

/** Runs one input, which may only fail with an error that has a code. */
function measureInput(read: () => Outcome): Outcome & { cpu_ms: number } {
  const started = process.cpuUsage();
  let outcome: Outcome;
  try {
    outcome = read();
  } catch (error) {
    const coded = error instanceof CatalogError && error.code in ERROR_CODES;
    const wrong = coded ? [] : [`crashed: ${error instanceof Error ? error.stack : String(error)}`];
    outcome = { wrong, refused: coded };
  }
  const { user, system } = process.cpuUsage(started);
  return { ...outcome, cpu_ms: (user + system) / 1000 };
}

function processLayers(snapshots: readonly LayerSnapshot[]): Outcome {
  const { artifacts, rejected } = decideSnapshots(snapshots, { capabilities });
  const wrong = rejected
    .filter(({ code }) => !(code in ERROR_CODES))
    .map(({ artifact_id }) => `${artifact_id} was rejected without a code`);
  const { files, entries } = planArtifacts(artifacts, adapter, { on_clash: 'fail' });
  for (const { path } of [...files, ...entries]) {
    if (leavesRoot(path)) wrong.push(`${path} leaves the target`);
  }
  for (const { path, bytes } of files) {
    if (Buffer.from(bytes).includes(OUTSIDE_MARK)) wrong.push(`${path} holds what is outside`);
  }
  const unread = snapshots.some((snapshot) => snapshot.refused.length > 0);
  return { wrong, refused: rejected.length > 0 || unread };
}

function leavesRoot(path: string): boolean {
  return path.startsWith('/') || path.split(/[/\\]/).includes('..') || path.includes('\0');
}

function hostileFile(random: SeededRandom): { name: string; read: () => Outcome } {
  const { name, bytes } = hostileManifest(() => random.next());
  const place = random.int(4);
  return { name, read: () => processLayers(oneManifest(bytes, place)) };
}

/** Returns a layer with a manifest, a file of a skill, a skill without a manifest, or a domain. */
function oneManifest(content: Uint8Array | string, place = 0): LayerSnapshot[] {
  const bytes = Buffer.from(content);
  const artifact = Buffer.from('---\ntype: skill\nversion: 1.0.0\n---\n');
  const whole: AuthoredPackage = {
    id: 'a/b',
    layer: 'l',
    manifest: bytes,
    skill: undefined,
    resources: [],
  };
  const packages = [
    [whole],
    [{ ...whole, manifest: artifact, skill: bytes }],
    [{ ...whole, manifest: undefined, skill: bytes }],
    [],
  ][place];
  const domains = place === 3 ? [{ path: 'a', bytes }] : [];
  return [{ layer: 'l', packages: packages ?? [], domains, refused: [] }];
}

function hostileFolder(
  folder: string,
  random: SeededRandom,
): { name: string; read: () => Outcome } {
  const place = join(folder, 'trick');
  mkdirSync(place);
  const { registry, tricks } = writeHostileFolder(place, random);
  return {
    name: `folder with ${tricks.join(', ')}`,
    read: () => processLayers(readFolderRegistry(registry).layers),
  };
}
