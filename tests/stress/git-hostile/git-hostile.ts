import { once } from 'node:events';
import { connect } from 'node:net';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { harnessCapabilities } from '@catalog/harness/registry';
import { measurementOfFailures, median } from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { openGitSetup, PASSWORD, type BareStage, type GitSetup } from './git-setup.ts';
import { OUTSIDE_MARK } from './hostile-folder.ts';
import { tricks } from './hostile-git.ts';
import type { Trap } from './hostile-stage.ts';

/** Time limit for one repository; the timeout of a source is half of it. */
const MAX_MS = 20_000;
const capabilities = harnessCapabilities();

export const gitHostile = singleRun({
  name: 'git-hostile',
  summary:
    'Reads generated hostile repositories, refs, URLs and git hosts as layers. The registry must run no command, read nothing outside the root, open no connection that the egress rules forbid, use no credential that the layer has no right to, and return an error code for each.',
  n: 2_000,
  small_n: 30,
  run: async ({ n, seed, folder }) => {
    const random = seededRandom(`git-hostile ${seed}`);
    const setup = await openGitSetup(folder, MAX_MS / 2);
    const names = Object.keys(tricks);
    const failures: string[] = [];
    const times: number[] = [];
    let refused = 0;
    try {
      failures.push(...(await checkSetup(setup, n)));
      for (let index = 0; index < n; index += 1) {
        // All cases in order first, then random ones.
        const name = names[index] ?? random.pick(names);
        const result = await play(setup, index, (stage) => tricks[name]?.({ ...stage, random }));
        times.push(result.ms);
        if (result.refused) refused += 1;
        failures.push(...result.wrong.map((line) => `repository ${index}, ${name}: ${line}`));
      }
    } finally {
      await setup.close();
    }
    return {
      ...measurementOfFailures('git-hostile', n, failures.length),
      notes: [
        `${refused} of ${n} were rejected with an error code, the others are harmless; seed ${seed}`,
        `${names.length} tricks; median ${Math.round(median(times))} ms, slowest ${Math.round(Math.max(...times))} ms`,
        ...failures.slice(0, 50),
      ],
    };
  },
});

interface Outcome {
  wrong: string[];
  refused: boolean;
  ms: number;
  snapshot: LayerSnapshot | undefined;
}

/** Runs one trial: every problem of the layer must be reported with a code in time. */
async function play(
  setup: GitSetup,
  index: number,
  trick: (stage: BareStage) => Trap | undefined,
): Promise<Outcome> {
  const layer = setup.open(index, trick);
  const began = performance.now();
  const wrong: string[] = [];
  let snapshot: LayerSnapshot | undefined;
  try {
    const signal = AbortSignal.timeout(MAX_MS);
    ({ snapshot } = await setup.source.read(1, layer, { full: true, retry: [] }, signal));
    wrong.push(...snapshotProblems(snapshot));
  } catch (error) {
    wrong.push(...refusalProblems(error));
  }
  const ms = performance.now() - began;
  if (ms > MAX_MS) wrong.push(`took ${Math.round(ms)} ms`);
  wrong.push(...setup.leave(layer));
  return { wrong, refused: snapshot === undefined || snapshot.refused.length > 0, ms, snapshot };
}

/** Checks that an error has a code and contains no data of this machine. */
function refusalProblems(error: unknown): string[] {
  if (!(error instanceof CatalogError) || !(error.code in ERROR_CODES)) {
    return [`crashed: ${error instanceof Error ? error.stack : String(error)}`];
  }
  const envelopeText = JSON.stringify(error.toEnvelope());
  return /127\.0\.0\.1|\/dev\/|\/tmp\/|\/home\/|rights-of/.test(envelopeText)
    ? [`says too much: ${envelopeText}`]
    : [];
}

/** Checks that accepted files stay inside of the layer, and that their names can be written. */
function snapshotProblems(snapshot: LayerSnapshot): string[] {
  const wrong: string[] = [];
  for (const { id, manifest, skill, resources } of snapshot.packages) {
    for (const bytes of [manifest, skill, ...resources.map((file) => file.bytes)]) {
      if (Buffer.from(bytes ?? []).includes(OUTSIDE_MARK))
        wrong.push(`${id} holds what is outside`);
    }
    for (const { path } of resources) {
      const problem = pathProblem(id === '' ? path : `${id}/${path}`);
      if (problem !== undefined) wrong.push(`${id}/${path} was taken and ${problem}`);
    }
  }
  const { rejected } = decideSnapshots([snapshot], { capabilities });
  for (const { artifact_id, code } of rejected) {
    if (!(code in ERROR_CODES)) wrong.push(`${artifact_id} was rejected without a code`);
  }
  return wrong;
}

/** Checks the canary, and that a valid layer is read with its permissions. */
async function checkSetup(setup: GitSetup, index: number): Promise<string[]> {
  const wrong: string[] = [];
  const socket = connect(setup.canary_port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'close');
  if (setup.hits() !== 1) wrong.push('the canary does not count connections');
  const { snapshot } = await play(setup, index, (stage) => {
    const trap = tricks['borrowedRights']?.({ ...stage, random: seededRandom('honest') });
    return { ...trap, layer: { ...trap?.layer, user_defined: false, owner: '' } };
  });
  if (snapshot?.packages[0]?.id !== 'good') wrong.push('an honest layer could not be read');
  const expected = Buffer.from(`registry:${PASSWORD}`).toString('base64');
  if (!setup.shown.some((header) => header.endsWith(expected))) {
    wrong.push('credentials are not shown where they may be');
  }
  return wrong;
}
