import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { loadCatalog, type PostgresCatalog } from '../fixtures/pg-catalog.ts';
import { query } from '../pg-database.ts';
import { startRegistryProcess, untilEmbedded } from '../registry-process.ts';
import {
  CALIBRATION_CONNECTIONS,
  averageOf,
  calibrate,
  readingOf,
  toModel,
  type Calibration,
} from '../scale/calibrate.ts';
import { runLoad } from '../scale/load.ts';
import { readIdle, readLoad, type Reading, type Served } from '../scale/meter.ts';
import {
  arrivalsPerQuery,
  BURST,
  costOf,
  revisionQueriesPerRequest,
  simulateDay,
  sizeFor,
  type CostModel,
  type Mix,
} from '../scale/model.ts';
import {
  makeRequests,
  mixRequests,
  OPERATIONS,
  OPERATION_TITLES,
  type Operation,
  type Requests,
} from '../scale/operations.ts';

const SIZE_FACTOR = 10;
const TOLERANCE = 0.2;
/** Minimum size for a measurement; a smaller run is only a smoke test. */
const MIN_MEASURED_SIZE = 20_000;
const SECONDS = { measured: 6, small: 0.1 };
/** Length of the warm-up, relative to a measurement: code is slow until it has run often. */
const WARM_UP_FACTOR = 5;
/** Requests of the warm-up: every kind, and few of those that are cold only once. */
const WARM_UP: Mix<Operation> = {
  unchanged: 0.1,
  'load-hot': 0.2,
  'load-cold': 0.1,
  'search-rare': 0.1,
  map: 0.25,
  list: 0.25,
};
const DAY = 100_000_000;
/** Maximum utilization of a core in the busiest seconds. */
const MAX_UTILIZATION = 0.6;
/** `store.pool_size`, and the three connections that listen, lock and probe. */
const CONNECTIONS_PER_PROCESS = 13;

/** A load that was not used to build the cost model. */
interface Load {
  name: string;
  connections: number;
  mix: Mix<Operation>;
  on: 'large' | 'small';
}

const LOADS: readonly Load[] = [
  {
    name: 'developers',
    connections: 4,
    mix: { unchanged: 0.6, 'load-hot': 0.25, 'search-rare': 0.05, map: 0.05, layers: 0.05 },
    on: 'large',
  },
  {
    name: 'agents',
    connections: 16,
    mix: {
      'search-sentence': 0.25,
      'search-common': 0.1,
      'search-rare': 0.15,
      'load-hot': 0.3,
      'load-cold': 0.05,
      map: 0.15,
    },
    on: 'large',
  },
  {
    name: 'builds',
    connections: 32,
    mix: { 'load-cold': 0.5, list: 0.2, map: 0.2, unchanged: 0.1 },
    on: 'small',
  },
];

const SHARES: Readonly<Record<string, number>> = { developers: 0.6, agents: 0.25, builds: 0.15 };

export const scaleModel: Benchmark = {
  name: 'scale-model',
  summary:
    'CPU of the registry and the database per request for three loads, compared with the prediction of the model in docs/operations/scale.md, which is built from each kind of request measured alone. The loads differ in mix and connections, and one uses a catalog a tenth of the size. Then calculates a day of 100 million requests.',
  servers: true,
  n: 1_000_000,
  small_n: 1_000,
  run: async ({ n, seed, folder }) => {
    const large = await loadCatalog({ n, seed });
    const small = await loadCatalog({ n: Math.ceil(n / SIZE_FACTOR), seed });
    const isMeasured = n >= MIN_MEASURED_SIZE;
    const seconds = isMeasured ? SECONDS.measured : SECONDS.small;
    const how = { seed, seconds };
    return withRegistry(join(folder, 'large'), large, how, async (setup) => {
      const before = await calibrate(setup.served, setup.requests, seconds);
      const measured = new Map<Load, Reading>();
      for (const load of LOADS) {
        const read = ({ served, requests }: LoadSetup): Promise<Reading> =>
          readLoad(served, load.connections, seconds, mixRequests(requests, load.mix, seed));
        const reading =
          load.on === 'large'
            ? await read(setup)
            : await withRegistry(join(folder, 'small'), small, how, read);
        measured.set(load, reading);
      }
      const calibration = isMeasured
        ? averageOf(before, await calibrate(setup.served, setup.requests, seconds))
        : before;
      const model = toModel(calibration, setup.served.idle);
      const parts = [...measured].flatMap(([load, reading]) =>
        compareLoad(model, load, reading, n),
      );
      return resultOfParts('scale-model', parts, [
        `one process and one database server on one machine, ${n} artifacts in 60 layers; each kind of request alone on ${CALIBRATION_CONNECTIONS} connections, ${seconds} s before and after the loads`,
        ...describeCosts(calibration, model),
        ...describeCapacity(model),
        ...describeDay(model),
        ...(await describeStorage(large)),
      ]);
    });
  },
};

interface LoadSetup {
  served: Served;
  requests: Requests;
}

async function withRegistry<Result>(
  home: string,
  catalog: PostgresCatalog,
  { seed, seconds }: { seed: string; seconds: number },
  work: (setup: LoadSetup) => Promise<Result>,
): Promise<Result> {
  mkdirSync(home, { recursive: true });
  const { database } = catalog;
  const registry = await startRegistryProcess(home, {
    env: { CATALOG_REGISTRY_STORE: 'postgres', CATALOG_POSTGRES_DSN: database.dsn },
  });
  try {
    await untilEmbedded(registry.url);
    const requests = await makeRequests(registry.url, catalog, seed);
    await runLoad(
      registry.url,
      CALIBRATION_CONNECTIONS,
      seconds * WARM_UP_FACTOR,
      mixRequests(requests, WARM_UP, seed),
    );
    await waitForEmptyQueues(registry.url);
    const idle = await readIdle({ registry, database }, seconds);
    return await work({ served: { registry, database, idle }, requests });
  } finally {
    await registry.stop();
  }
}

/** Waits until the queues are empty. A process that becomes the leader checks every layer first. */
async function waitForEmptyQueues(url: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const jobs = [...metrics.matchAll(/^catalog_jobs\{.*\} (\d+)$/gm)];
    if (jobs.length > 0 && jobs.every(([, count]) => count === '0')) return;
    await delay(200);
  }
}

function compareLoad(
  model: CostModel<Operation>,
  { name, connections, mix }: Load,
  measured: Reading,
  n: number,
): Measurement[] {
  const predicted = costOf(model, mix, arrivalsPerQuery(model, mix, connections));
  return (['server_ms', 'database_ms'] as const).map((part) => {
    const value = measured[part];
    const ratio = value / predicted[part];
    return {
      name: `scale-model-${name}-${part === 'server_ms' ? 'server' : 'database'}`,
      value,
      unit: 'ms of CPU',
      baseline: predicted[part],
      ratio,
      cpu_ratio: ratio,
      n,
      goal: `ratio from ${1 - TOLERANCE} to ${1 + TOLERANCE}`,
      met: Math.abs(ratio - 1) <= TOLERANCE,
    };
  });
}

function describeCosts({ alone }: Calibration, model: CostModel<Operation>): string[] {
  const { question, idle } = model;
  const shared = revisionQueriesPerRequest(
    arrivalsPerQuery(model, { 'load-hot': 1 }, CALIBRATION_CONNECTIONS),
  );
  return [
    `a question for the revision: registry ${ms(question.server_ms)}, database ${ms(question.database_ms)} of CPU, ` +
      `${ms(question.latency_ms)} to its answer; ${shared.toFixed(2)} of one for each hot load on ${CALIBRATION_CONNECTIONS} connections`,
    `a process that nobody asks: registry ${ms(idle.server_ms)}, database ${ms(idle.database_ms)} of CPU a second`,
    'each kind alone, without its questions: CPU of the registry and of the database, time its statements ran; ' +
      'with them: statements, rows, buffers and bytes',
    ...[...model.operations].map(([operation, own]) => {
      const { statements, rows, buffers, bytes, latency_ms } = readingOf(alone, operation);
      return (
        `${OPERATION_TITLES[operation]}: ${ms(own.server_ms)}, ${ms(own.database_ms)}, ${ms(own.busy_ms)}; ` +
        `${statements.toFixed(2)} statements, ${rows.toFixed(0)} rows, ${buffers.toFixed(0)} buffers, ` +
        `${bytes.toFixed(0)} bytes; ${ms(latency_ms)} to the answer`
      );
    }),
  ];
}

/**
 * Describes the rates at which a core of each server has its maximum utilization, if no two requests share a query for
 * the revision.
 */
function describeCapacity(model: CostModel<Operation>): string[] {
  const rates = OPERATIONS.map((operation) => {
    const { server_ms, database_ms } = costOf(model, { [operation]: 1 }, 0);
    const rate = (each: number): string => ((MAX_UTILIZATION * 1000) / each).toFixed(0);
    return `${operation} ${rate(server_ms)} and ${rate(database_ms)}`;
  });
  return [
    `requests a second of each kind that keep one process, and one core of the database, ${MAX_UTILIZATION * 100} % busy: ${rates.join(', ')}`,
  ];
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 3 : 1)} ms`;
}

function describeDay(model: CostModel<Operation>): string[] {
  const mix = dayMix();
  const { hours, peak, bytes } = simulateDay(model, mix, DAY);
  const size = sizeFor(model, peak, {
    busy: MAX_UTILIZATION,
    connections_each: CONNECTIONS_PER_PROCESS,
  });
  return [
    `a day of ${DAY} requests (${Object.entries(SHARES)
      .map(([name, share]) => `${share * 100} % ${name}`)
      .join(
        ', ',
      )}), no two sharing a question; requests a second, cores of the registry, cores of the database by the hour:`,
    hours
      .map(
        ({ requests_per_second, server_cores, database_cores }, hour) =>
          `${hour}h ${requests_per_second.toFixed(0)}/${server_cores.toFixed(2)}/${database_cores.toFixed(1)}`,
      )
      .join(', '),
    `peak hour: ${peak.requests_per_second.toFixed(0)} requests a second, ${peak.busy_connections.toFixed(1)} connections busy, ` +
      `${(peak.bytes_per_second / 1e6).toFixed(1)} MB a second; the day: ${(bytes / 1e9).toFixed(0)} GB`,
    `for its busiest seconds (${BURST} times the hour) with cores at most ${MAX_UTILIZATION * 100} % busy: ${size.processes} processes, ` +
      `${size.database_cores} cores of database, ${size.connections} connections at most`,
  ];
}

function dayMix(): Mix<Operation> {
  const shareOf = (operation: Operation): number =>
    LOADS.reduce((sum, { name, mix }) => sum + (SHARES[name] ?? 0) * (mix[operation] ?? 0), 0);
  return Object.fromEntries(OPERATIONS.map((operation) => [operation, shareOf(operation)]));
}

const STORAGE = `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'catalog'::regnamespace
  ORDER BY bytes DESC`;
const LISTED_TABLES = 10;

async function describeStorage({ n, database }: PostgresCatalog): Promise<string[]> {
  const tables = await query<{ name: string; bytes: number }>(database.owner_dsn, STORAGE);
  const each = (bytes: number): string => (bytes / n).toFixed(0);
  const whole = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = tables.slice(0, LISTED_TABLES).map(({ name, bytes }) => `${name} ${each(bytes)}`);
  return [`storage: ${each(whole)} bytes an artifact, with indexes: ${largest.join(', ')}`];
}
