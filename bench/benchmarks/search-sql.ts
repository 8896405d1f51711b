import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { documentTerms } from '@catalog/core/search/document-terms';
import { queryTerms } from '@catalog/core/search/query-terms';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { makeQueries, type QueryKind } from '../fixtures/search-queries.ts';
import { STORE, storeCatalog, type StoredCatalog } from '../fixtures/stored-catalog.ts';
import { cpuOf, startRegistryProcess, WITHOUT_VECTORS } from '../registry-process.ts';
import { openSide, timeInTurns, type Cost, type Side } from '../timed-requests.ts';

const BARE_SERVER = join(import.meta.dirname, '../baselines/search-server.mjs');
const MAX_RATIO = 1.3;
const REQUESTS = 500;

export const searchSql: Benchmark = {
  name: 'search-sql',
  summary:
    'p50 of `search_artifacts` by words alone, compared with the SQL statements and score sums it needs, run directly on the same file behind an empty request.',
  n: 100_000,
  small_n: 2_000,
  run: async ({ n, seed, folder }) => {
    const stored = await storeCatalog(folder, { n, seed });
    const queries = makeQueries(stored, seed);
    const hasAllTerms = createTermCheck(stored);
    const registry = openSide(await startRegistryProcess(folder, { env: WITHOUT_VECTORS }));
    const bare = await startBareServer(join(folder, STORE));
    try {
      const parts: Measurement[] = [];
      for (const kind of ['rare', 'common', 'three', 'sentence'] as const) {
        const matchingQueries = queries[kind].filter(hasAllTerms);
        const { subject, baseline } = await timeInTurns(
          { side: registry, paths: matchingQueries.map(registryPath) },
          { side: bare, paths: matchingQueries.map(barePath) },
          REQUESTS,
        );
        parts.push(partOf(kind, n, subject, baseline));
      }
      return resultOfParts('search-sql', parts, [
        'baseline: node bench/baselines/search-server.mjs, alternating with the registry, which makes no ' +
          'vectors here: what words and meaning cost together is in search-cost',
      ]);
    } finally {
      await registry.stop();
      await bare.stop();
    }
  },
};

/** Returns a check whether an artifact has every word of a query. The baseline corrects no words. */
function createTermCheck({ documents }: StoredCatalog): (query: string) => boolean {
  const held = new Set(documents.flatMap((document) => [...documentTerms(document).keys()]));
  return (query) => queryTerms(query).every((term) => held.has(term));
}

function registryPath(query: string): string {
  return `/v1/search_artifacts?query=${encodeURIComponent(query)}`;
}

function barePath(query: string): string {
  return `/?terms=${encodeURIComponent(JSON.stringify(queryTerms(query)))}`;
}

async function startBareServer(database: string): Promise<Side> {
  const child = spawn(process.execPath, [BARE_SERVER, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [port] = await once(createInterface(child.stdout), 'line');
  const { pid } = child;
  if (pid === undefined) throw new Error('the bare server did not start');
  return openSide({
    url: `http://127.0.0.1:${port}`,
    cpuMs: () => cpuOf(pid),
    async stop() {
      child.kill();
      await closed;
    },
  });
}

function partOf(kind: QueryKind, n: number, subject: Cost, baseline: Cost): Measurement {
  const ratio = subject.p50 / baseline.p50;
  return {
    name: `search-sql-${kind}`,
    value: subject.p50,
    unit: 'ms',
    baseline: baseline.p50,
    ratio,
    cpu_ratio: subject.cpu_ms / baseline.cpu_ms,
    n,
    goal: `ratio <= ${MAX_RATIO}`,
    met: ratio <= MAX_RATIO,
  };
}
