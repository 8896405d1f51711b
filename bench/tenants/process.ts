// Serves small tenants of a database and measures the startup time, the memory, and the latency of
// searches and loads. Prints one line of JSON.
import { seededRandom } from '../../tools/seeded-random.ts';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { documentsOf, FIRST_TENANT, LAYER } from './fixture.ts';

export interface TenantRun {
  start_ms: number;
  memory_mib: number;
  search_ms: number[];
  load_ms: number[];
}

const [dsn = '', tenants = '', requests = '', seed = ''] = process.argv.slice(2);
const random = seededRandom(`requests ${seed}`);

const began = performance.now();
const store = await openPostgresStore({ dsn });
await store.layers.revision(FIRST_TENANT);
const start_ms = performance.now() - began;

async function timed(work: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  if (!(await work())) throw new Error('a tenant did not find what it has');
  return performance.now() - from;
}

const search_ms: number[] = [];
const load_ms: number[] = [];
for (let turn = 0; turn < Number(requests); turn += 1) {
  const tenant = FIRST_TENANT + random.int(Number(tenants));
  const { id, description } = random.pick(documentsOf(tenant, seed));
  const query = description.split(' ').slice(0, 2).join(' ');
  const searchQuery = { query, type: '', tags: [], scope: '', top_k: 10 };
  // Reads the tenant's revision first, like a request.
  const search = await timed(async () => {
    await store.layers.revision(tenant);
    const { hits } = await store.search.search(tenant, [LAYER], searchQuery);
    return hits.some((hit) => hit.id === id);
  });
  const load = await timed(async () => {
    await store.layers.revision(tenant);
    const [head] = await store.versions.listHeadsOf(tenant, [LAYER], [id]);
    const version = await store.versions.get(tenant, LAYER, id, head?.version ?? '');
    return version !== undefined;
  });
  // Skips the first requests, which run before the compiler has optimized the code.
  if (turn >= Number(requests) / 5) {
    search_ms.push(search);
    load_ms.push(load);
  }
}
globalThis.gc?.();
const memory_mib = process.memoryUsage().rss / 2 ** 20;
await store.close();
const run: TenantRun = { start_ms, memory_mib, search_ms, load_ms };
process.stdout.write(`${JSON.stringify(run)}\n`);
