import { join } from 'node:path';
import { openStream } from '@catalog/testkit/http-exchange';
import { tenantId } from '@catalog/server/registry/access/tenant-id';
import { summarizeLines, measurementOfFailures, resultOfParts } from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { allCells } from './cells.ts';
import { openCredentials, type Credentials } from './credentials.ts';
import { modes, callers, type Mode } from './dimensions.ts';
import { openStage, type Stage, CANARY, TENANT_NAMES } from './fixture.ts';
import { playCells, type Difference } from './play.ts';
import type { Cell } from './decision-rule.ts';
import { serveMode, type Served } from './serve-mode.ts';

const ENGINES = ['sqlite', 'postgres'] as const;

export const authzMatrix = singleRun({
  name: 'authz-matrix',
  summary:
    'Sends every combination of route, identity provider, caller, layer class and state, and request form over HTTP, on both stores, and compares the result with an independent implementation of the specification. Counts different responses, rejected requests with side effects, changes without exactly their audit records, and names of another tenant in any output.',
  servers: true,
  /** More than the number of cells, so that all of them run. */
  n: 1_000_000,
  small_n: 5_000,
  run: async ({ n, seed, folder }) => {
    const all = allCells();
    // A smaller number of cells is a seeded sample, the same for both engines.
    const cells = seededRandom(`matrix ${seed}`)
      .shuffle([...all])
      .slice(0, Math.ceil(n / ENGINES.length));
    const credentials = await openCredentials(folder);
    const began = performance.now();
    try {
      const played = await Promise.all(
        ENGINES.map((engine) => playOn(engine, join(folder, engine), credentials, cells)),
      );
      const seconds = (performance.now() - began) / 1000;
      const count = cells.length * ENGINES.length;
      const differences = played.flatMap((each) => each.differences);
      const canaries = played.flatMap((each) => each.canaries);
      return resultOfParts(
        'authz-matrix',
        [
          measurementOfFailures('authz-matrix-differences', count, differences.length),
          measurementOfFailures('authz-matrix-canaries', count, canaries.length),
        ],
        [
          `${cells.length} of ${all.length} cells on each of ${ENGINES.join(' and ')}, ${Math.round(count / seconds)} per second (seed ${seed})`,
          ...summarize(differences),
          ...canaries.slice(0, 5),
        ],
      );
    } finally {
      await credentials.close();
    }
  },
});

interface Played {
  differences: Difference[];
  canaries: string[];
}

async function playOn(
  engine: Stage['engine'],
  folder: string,
  credentials: Credentials,
  cells: readonly Cell[],
): Promise<Played> {
  const stage = await openStage(engine, folder);
  const played: Played = { differences: [], canaries: [] };
  try {
    for (const mode of modes) {
      const own = cells.filter((cell) => cell.mode === mode);
      const served = await serveMode(stage, mode, credentials);
      try {
        const emitted = await findCanaries(served, mode, credentials, async () => {
          played.differences.push(...(await playCells(served, credentials, own)));
        });
        played.canaries.push(...emitted.map((line) => `${engine} ${mode.name}: ${line}`));
      } finally {
        await served.close();
      }
    }
  } finally {
    await stage.close();
  }
  return played;
}

function summarize(differences: readonly Difference[]): string[] {
  const kinds = Map.groupBy(differences, ({ cell, problems }) => {
    const [, , route = ''] = cell.split(' ');
    return `${route} ${problems.join('; ')}`;
  });
  return [...kinds]
    .slice(0, 20)
    .map(
      ([kind, alike]) =>
        `${alike.length} x ${kind}: ${summarizeLines(alike.map(({ cell }) => cell))} ${alike[0]?.answer.slice(0, 200) ?? ''}`,
    );
}

/**
 * Searches the event stream of the home tenant, the log and the metrics. Returns every line that
 * contains data of the other tenant.
 */
async function findCanaries(
  served: Served,
  mode: Mode,
  credentials: Credentials,
  work: () => Promise<void>,
): Promise<string[]> {
  const listener = callers.find(({ name }) => name === 'other-subject');
  if (listener === undefined) throw new Error('nobody listens');
  const headers = credentials.headersOf(mode, listener);
  const stream = await openStream(served.url, '/v1/events', { headers });
  const received: string[] = [];
  const reading = (async () => {
    for (let line = await stream.next(); line !== undefined; line = await stream.next()) {
      received.push(`event: ${line}`);
    }
  })();
  await work();
  stream.close();
  await reading;
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  const lines = [
    ...received,
    ...served.log.flatMap((text) => text.split('\n')).map((line) => `log: ${line}`),
    ...metrics.split('\n').map((line) => `metric: ${line}`),
  ];
  const names = [CANARY, tenantId(TENANT_NAMES.abroad)];
  return lines.filter((line) => names.some((name) => line.includes(name)));
}
