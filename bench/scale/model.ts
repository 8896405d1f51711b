/** Measured cost of one request of a kind, without the query for the tenant's revision. */
export interface OperationCost {
  server_ms: number;
  database_ms: number;
  /** Execution time of its statements in milliseconds, during which it holds a connection. */
  busy_ms: number;
  /** Time from the request to the last byte of the response, in milliseconds. */
  latency_ms: number;
  bytes: number;
  questions: 0 | 1;
}

/** Cost of a query for a tenant's revision, which concurrent requests share. */
export interface RevisionQueryCost {
  server_ms: number;
  database_ms: number;
  busy_ms: number;
  /** Time from the query to its result, measured in the process. */
  latency_ms: number;
}

/** Cost of an idle process in milliseconds per second: sweeps, jobs and probes. */
export interface IdleCost {
  server_ms: number;
  database_ms: number;
}

export interface CostModel<Operation extends string> {
  operations: ReadonlyMap<Operation, OperationCost>;
  question: RevisionQueryCost;
  idle: IdleCost;
}

/** Shares of the kinds of requests; their sum is 1. */
export type Mix<Operation extends string> = Readonly<Partial<Record<Operation, number>>>;

export interface RequestCost {
  server_ms: number;
  database_ms: number;
  busy_ms: number;
  bytes: number;
}

/**
 * Returns the number of queries for the revision per request, if `arriving` requests arrive during one query. A query
 * serves all requests that arrived during the previous one; without any, the next request sends its own.
 */
export function revisionQueriesPerRequest(arriving: number): number {
  return 1 / (arriving + Math.exp(-arriving));
}

/**
 * Assumes that the connections of the process are always busy: the arrivals during one query are
 * proportional to the share of the query in the time of a request.
 */
export function arrivalsPerQuery<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  connections: number,
): number {
  return (connections * model.question.latency_ms) / average(model, mix, 'latency_ms');
}

/** Adds up the costs. Requests share only the revision query, in a catalog of any size. */
export function costOf<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  arriving: number,
): RequestCost {
  const queriesPerRequest = average(model, mix, 'questions') * revisionQueriesPerRequest(arriving);
  const sum = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    average(model, mix, part) + queriesPerRequest * model.question[part];
  return {
    server_ms: sum('server_ms'),
    database_ms: sum('database_ms'),
    busy_ms: sum('busy_ms'),
    bytes: average(model, mix, 'bytes'),
  };
}

function average<Operation extends string>(
  { operations }: CostModel<Operation>,
  mix: Mix<Operation>,
  part: keyof OperationCost,
): number {
  return [...operations].reduce(
    (total, [operation, cost]) => total + (mix[operation] ?? 0) * cost[part],
    0,
  );
}

export interface Demand {
  requests_per_second: number;
  server_cores: number;
  database_cores: number;
  busy_connections: number;
  bytes_per_second: number;
}

/**
 * Assumes that no two requests share a revision query, as for many tenants; one large tenant needs
 * less.
 */
export function demandOf<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  requests_per_second: number,
): Demand {
  const { server_ms, database_ms, busy_ms, bytes } = costOf(model, mix, 0);
  return {
    requests_per_second,
    server_cores: (requests_per_second * server_ms) / 1000,
    database_cores: (requests_per_second * database_ms) / 1000,
    busy_connections: (requests_per_second * busy_ms) / 1000,
    bytes_per_second: requests_per_second * bytes,
  };
}

export interface Day {
  hours: Demand[];
  peak: Demand;
  bytes: number;
}

/**
 * Distribution of requests over the hours of a day, relative to the average: two working days that overlap, a quiet
 * night, and builds around the clock.
 */
const CURVE = [
  0.45, 0.4, 0.38, 0.38, 0.42, 0.55, 0.8, 1.15, 1.45, 1.6, 1.6, 1.5, 1.4, 1.55, 1.75, 1.8, 1.7,
  1.45, 1.15, 0.9, 0.75, 0.65, 0.55, 0.5,
];

export function simulateDay<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  requests: number,
): Day {
  const whole = CURVE.reduce((sum, share) => sum + share, 0);
  const hours = CURVE.map((share) => demandOf(model, mix, (requests * share) / whole / 3600));
  const peak = hours.reduce((one, other) =>
    other.requests_per_second > one.requests_per_second ? other : one,
  );
  const bytes = hours.reduce((sum, { bytes_per_second }) => sum + bytes_per_second * 3600, 0);
  return { hours, peak, bytes };
}

/** Load in the busiest seconds of an hour, relative to its average. */
export const BURST = 2;
/** Minimum that survives the loss of one process during an upgrade. */
const MIN_PROCESSES = 3;

export interface Size {
  processes: number;
  database_cores: number;
  /** Maximum number of open connections; `max_connections` must allow it. */
  connections: number;
}

/** Keeps the utilization of every core below `busy` in the busiest seconds. */
export function sizeFor(
  { idle }: { idle: IdleCost },
  peak: Demand,
  { busy, connections_each }: { busy: number; connections_each: number },
): Size {
  // A process uses one core.
  const room = busy - idle.server_ms / 1000;
  const processes = Math.max(MIN_PROCESSES, Math.ceil((peak.server_cores * BURST) / room));
  const database = peak.database_cores * BURST + (processes * idle.database_ms) / 1000;
  return {
    processes,
    database_cores: Math.ceil(database / busy),
    connections: processes * connections_each,
  };
}
