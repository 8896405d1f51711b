/** What one request of a kind costs, without the question for the tenant's revision; measured. */
export interface OperationCost {
  /** Processor of the registry's process, in milliseconds. */
  server_ms: number;
  /** Processor of the database, in milliseconds. */
  database_ms: number;
  /** How long its statements run, so how long it has a connection, in milliseconds. */
  busy_ms: number;
  /** From the request to the last byte of the answer, in milliseconds. */
  latency_ms: number;
  /** Bytes of the answer, head included. */
  bytes: number;
  /** How often it asks for the tenant's revision. */
  questions: 0 | 1;
}

/** What one question for a tenant's revision costs. Requests that come together share one. */
export interface QuestionCost {
  server_ms: number;
  database_ms: number;
  busy_ms: number;
  /** From the question to the answer, as the process sees it. */
  latency_ms: number;
}

/** What a process costs that nobody asks: sweeps, jobs, probes. In milliseconds of each second. */
export interface IdleCost {
  server_ms: number;
  database_ms: number;
}

export interface CostModel<Operation extends string> {
  operations: ReadonlyMap<Operation, OperationCost>;
  question: QuestionCost;
  idle: IdleCost;
}

/** How many of all requests are of each kind; the shares add up to one. */
export type Mix<Operation extends string> = Readonly<Partial<Record<Operation, number>>>;

/** What one request costs, on average over a mix. */
export interface RequestCost {
  server_ms: number;
  database_ms: number;
  busy_ms: number;
  bytes: number;
}

/**
 * How many questions for the revision one request is, when `arriving` requests of its tenant come to
 * the same process while one question is under way. A question answers all who came during the one
 * before it; where nobody came, the next request has one of its own.
 */
export function questionsPerRequest(arriving: number): number {
  return 1 / (arriving + Math.exp(-arriving));
}

/**
 * The same for a process whose connections are always busy. While a request is answered every other
 * connection has one under way, too, so as many come during a question as its share of that time.
 */
export function arrivingOn<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  connections: number,
): number {
  return (connections * model.question.latency_ms) / average(model, mix, 'latency_ms');
}

/**
 * Adds up the costs of the requests in a mix. Requests share only the query for the revision, and none
 * reads more from a larger catalog. The benchmark compares the model with loads it was not built from.
 */
export function costOf<Operation extends string>(
  model: CostModel<Operation>,
  mix: Mix<Operation>,
  arriving: number,
): RequestCost {
  const asked = average(model, mix, 'questions') * questionsPerRequest(arriving);
  const sum = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    average(model, mix, part) + asked * model.question[part];
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

/** What a load asks of the machines. */
export interface Demand {
  requests_per_second: number;
  server_cores: number;
  database_cores: number;
  /** Connections on which a statement runs, on average. */
  busy_connections: number;
  bytes_per_second: number;
}

/**
 * What so many requests a second ask for, none of which shares its question with another: as it is
 * where they belong to many tenants. One large tenant asks for less.
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
 * How the requests of a day spread over its hours, relative to the average: two working days on two
 * continents that overlap, a quiet night, and builds that sync around the clock.
 */
const CURVE = [
  0.45, 0.4, 0.38, 0.38, 0.42, 0.55, 0.8, 1.15, 1.45, 1.6, 1.6, 1.5, 1.4, 1.55, 1.75, 1.8, 1.7,
  1.45, 1.15, 0.9, 0.75, 0.65, 0.55, 0.5,
];

/** A day of so many requests, hour by hour. */
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

/** The busiest seconds of an hour have this many times its average. */
export const BURST = 2;
/** Fewer would not survive the loss of one during an upgrade. */
const FEWEST_PROCESSES = 3;

/** What to run for a peak. */
export interface Size {
  processes: number;
  database_cores: number;
  /** Open at most: what `max_connections` has to allow. */
  connections: number;
}

/** What to run so that in the busiest seconds no core is busier than `busy` of the time. */
export function sizeFor(
  { idle }: { idle: IdleCost },
  peak: Demand,
  { busy, connections_each }: { busy: number; connections_each: number },
): Size {
  // A process answers on one core.
  const room = busy - idle.server_ms / 1000;
  const processes = Math.max(FEWEST_PROCESSES, Math.ceil((peak.server_cores * BURST) / room));
  const database = peak.database_cores * BURST + (processes * idle.database_ms) / 1000;
  return {
    processes,
    database_cores: Math.ceil(database / busy),
    connections: processes * connections_each,
  };
}
