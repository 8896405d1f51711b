import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@catalog/contract/events';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { median, resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { dropBenchDatabase, openKeptDatabase } from '../pg-database.ts';
import {
  CONCURRENCY,
  fillStore,
  sendBare,
  sendFromRegistry,
  type Cost,
  type Setup,
} from '../webhook-rate/sending-sides.ts';

const ROUNDS = 5;
const MAX_RATIO = 1.6;
const DATABASE = 'catalog_bench_webhook_rate';
const SIDES = ['bare', 'sqlite', 'postgres'] as const;

export const webhookRate: Benchmark = {
  name: 'webhook-rate',
  summary:
    'CPU time of a registry process per webhook delivery, with all events pending, compared with a plain loop of https requests with the same bodies and signatures.',
  servers: true,
  n: 10_000,
  small_n: 500,
  run: async ({ n, folder, repeat }) => {
    const authority = await createCertificateAuthority();
    const events = Array.from({ length: n }, (_, index) => toEvent(index));
    const bodies_file = join(folder, 'bodies.json');
    const bodies = events.map((event, index) =>
      JSON.stringify({ ...event, cursor: `${index + 1}` }),
    );
    writeFileSync(bodies_file, JSON.stringify(bodies));
    const ca_file = authority.writeCert(folder);
    const setup: Setup = { ...(await authority.issueFiles(folder)), ca_file, bodies_file, n };
    const send = {
      bare: () => sendBare(setup),
      sqlite: () => sendFromSqlite(setup, join(folder, 'home'), events),
      postgres: () => sendFromPostgres(setup, join(folder, 'home'), events),
    };
    const costs: Record<(typeof SIDES)[number], Cost[]> = { bare: [], sqlite: [], postgres: [] };
    for (let round = 0; round < repeat(ROUNDS); round += 1) {
      for (const side of SIDES) costs[side].push(await send[side]());
    }
    const sent = n - Math.round(n / 10);
    return resultOfParts(
      'webhook-rate',
      [
        partOf('webhook-rate-sqlite', sent, costs.sqlite, costs.bare),
        partOf('webhook-rate-postgres', sent, costs.postgres, costs.bare),
      ],
      [
        `subject: \`catalog serve\` with one receiver, ${CONCURRENCY} requests at a time; the first tenth is not measured`,
        `baseline: node bench/baselines/webhook-loop.mjs with a kept-alive agent and ${CONCURRENCY} requests at a time`,
        'the receiver runs in its own process on both sides; CPU time of the database server is not included',
        'medians of rounds in turns',
      ],
    );
  },
};

function toEvent(index: number): EventBody {
  return {
    event: 'artifact.published',
    trace_id: String(index).padStart(32, '0'),
    timestamp: new Date().toISOString(),
    actor: { type: 'system', name: 'ingest' },
    data: {
      id: `operations/release/check-${index}`,
      version: '1.4.2',
      layer: 'team-operations',
      content_hash: `sha256:${String(index).padStart(64, 'a')}`,
    },
  };
}

async function sendFromSqlite(
  setup: Setup,
  home: string,
  events: readonly EventBody[],
): Promise<Cost> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  return sendFromRegistry(setup, home, {}, async (url) => {
    const store = await openSqliteStore({ path: join(home, '.catalog/standalone/catalog.db') });
    await fillStore(store, url, events);
    await store.close();
  });
}

async function sendFromPostgres(
  setup: Setup,
  home: string,
  events: readonly EventBody[],
): Promise<Cost> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  await dropBenchDatabase(DATABASE);
  const { dsn } = await openKeptDatabase(DATABASE);
  const env = { CATALOG_REGISTRY_STORE: 'postgres', CATALOG_POSTGRES_DSN: dsn };
  const cost = await sendFromRegistry(setup, home, env, async (url) => {
    const store = await openPostgresStore({ dsn });
    await fillStore(store, url, events);
    await store.close();
  });
  await dropBenchDatabase(DATABASE);
  return cost;
}

function partOf(
  name: string,
  n: number,
  subject: readonly Cost[],
  bare: readonly Cost[],
): Measurement {
  const cpu = (costs: readonly Cost[]): number => median(costs.map(({ cpu_ms }) => cpu_ms));
  const wall = (costs: readonly Cost[]): number => median(costs.map(({ wall_ms }) => wall_ms));
  const cpu_ratio = cpu(subject) / cpu(bare);
  return {
    name,
    value: cpu(subject) / n,
    unit: 'ms of CPU per delivery',
    baseline: cpu(bare) / n,
    ratio: wall(subject) / wall(bare),
    cpu_ratio,
    n,
    goal: `ratio <= ${MAX_RATIO}`,
    met: cpu_ratio <= MAX_RATIO,
  };
}
