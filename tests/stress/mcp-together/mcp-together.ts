import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { measurementOfFailures } from '../../../bench/benchmark.ts';
import { mcpServerCommand } from '../../../bench/program.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { findLost, findMismatches, findTorn } from './faults.ts';
import { openPlace, type Place } from './place.ts';

const ARTIFACTS = 80;
const SERVERS = 5;
/** The only accepted error: another program held the lock for the whole timeout. */
const LOCKED_CODE = 'materialize.locked';

export const mcpTogether = singleRun({
  name: 'mcp-together',
  summary:
    'Five MCP servers load into one workspace from one cache for n seconds while sync, release and prune run. No file may be visible in part, and no entry of the lock file may be lost.',
  n: 600,
  small_n: 10,
  run: async ({ n, seed, folder }) => {
    const place = await openPlace(folder, ARTIFACTS, seed);
    const failures: string[] = [];
    const counts = { loads: 0, syncs: 0, prunes: 0, looks: 0 };
    const loaded = new Set<string>();
    const until = performance.now() + n * 1000;
    const running = (): boolean => performance.now() < until && failures.length < 20;
    const fail = (what: string): void => void failures.push(what);

    async function runAgain(count: 'syncs' | 'prunes', words: () => string[]): Promise<void> {
      while (running()) {
        const { status, output } = await place.run(...words());
        counts[count] += 1;
        const excused = output.includes(LOCKED_CODE) || output.includes('No agent has loaded');
        if (status !== 0 && !excused)
          fail(`catalog ${words().join(' ')} ended with ${status}: ${output}`);
      }
    }

    async function checkFiles(): Promise<void> {
      while (running()) {
        // Artifacts loaded before the check started must be in the lock, regardless of concurrent
        // writes.
        const before = new Set(loaded);
        failures.push(...findTorn(place), ...findLost(place, before));
        counts.looks += 1;
        await delay(20);
      }
    }

    const passing = seededRandom(`mcp-together release ${seed}`);
    try {
      await Promise.all([
        ...Array.from({ length: SERVERS }, (_, index) =>
          loadAgain(place, `${seed} ${index}`, running, (id, problem) => {
            counts.loads += 1;
            if (problem === undefined && place.lasting.includes(id)) loaded.add(id);
            if (problem !== undefined && !problem.includes(LOCKED_CODE)) fail(`${id}: ${problem}`);
          }),
        ),
        runAgain('syncs', () => ['sync']),
        runAgain('syncs', () => ['sync', `--release=${passing.pick(place.passing)}`]),
        runAgain('prunes', () => ['cache', 'prune', '--days', '0']),
        checkFiles(),
      ]);
      failures.push(...findTorn(place), ...findLost(place, loaded), ...findMismatches(place));
    } finally {
      await place.stop();
    }
    const done = Object.entries(counts).map(([what, times]) => `${times} ${what}`);
    return {
      ...measurementOfFailures('mcp-together', n, failures.length),
      notes: [`${done.join(', ')}, ${loaded.size} artifacts kept; seed ${seed}`, ...failures],
    };
  },
});

async function loadAgain(
  { env, target, synced, lasting, passing }: Place,
  seed: string,
  running: () => boolean,
  report: (id: string, problem: string | undefined) => void,
): Promise<void> {
  const random = seededRandom(`mcp-together ${seed}`);
  const [command = '', ...args] = mcpServerCommand();
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args, env, cwd: target, stderr: 'ignore' }),
  );
  try {
    while (running()) {
      const id = random.pick([...synced, ...lasting, ...passing]);
      const answer = await client.callTool({ name: 'load_artifact', arguments: { id } });
      report(id, problemOf(answer));
    }
  } finally {
    await client.close();
  }
}

/** Returns the reason why a call did not write; undefined if it did. */
function problemOf({
  isError,
  structuredContent,
  content,
}: Awaited<ReturnType<Client['callTool']>>): string | undefined {
  if (isError === true) return JSON.stringify(content);
  const answered = new Map(Object.entries(structuredContent ?? {}));
  return answered.has('not_materialized')
    ? JSON.stringify(answered.get('not_materialized'))
    : undefined;
}
