import { openServedBench } from '../../../bench/served-bench.ts';
import { countFiles } from '../../../bench/tree.ts';
import { singleRun } from '../single-run.ts';

export const syncHttpNoop = singleRun({
  name: 'sync-http-noop',
  summary:
    'Number of requests of an unchanged sync over HTTP: one for the manifest, with a 304 response, and none for a body.',
  n: 10_000,
  small_n: 500,
  run: async ({ n, seed, folder }) => {
    const bench = await openServedBench(folder, { n, seed });
    try {
      bench.forget();
      bench.sync();
      const before = await countRequests(bench.url);
      bench.sync();
      const requestCounts = subtract(await countRequests(bench.url), before);
      const wanted = JSON.stringify({ 'sync_manifest 3xx': 1 });
      return {
        name: 'sync-http-noop',
        value: Object.values(requestCounts).reduce((sum, count) => sum + count, 0),
        unit: 'requests',
        baseline: null,
        ratio: null,
        cpu_ratio: null,
        n,
        goal: 'value <= 1',
        met: JSON.stringify(requestCounts) === wanted,
        notes: [
          `requests, as counted by the registry: ${JSON.stringify(requestCounts)}`,
          `target: ${countFiles(bench.target)} files, seed ${seed}`,
        ],
      };
    } finally {
      await bench.stop();
    }
  },
});

type Counts = Record<string, number>;

/** Counts requests by endpoint and class of status, from the registry's own metrics. */
async function countRequests(url: string): Promise<Counts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts: Counts = {};
  for (const line of text.split('\n')) {
    const [, labels = '', count = '0'] = /^catalog_requests_total\{(.*)\} (\S+)$/.exec(line) ?? [];
    const endpoint = /endpoint="([^"]*)"/.exec(labels)?.[1];
    const status = /status="([^"]*)"/.exec(labels)?.[1];
    if (endpoint !== undefined && endpoint !== 'metrics') {
      counts[`${endpoint} ${status ?? ''}`] = Number(count);
    }
  }
  return counts;
}

function subtract(after: Counts, before: Counts): Counts {
  const changed = Object.entries(after).filter(([key, count]) => count !== (before[key] ?? 0));
  return Object.fromEntries(changed.map(([key, count]) => [key, count - (before[key] ?? 0)]));
}
