import { readLoad, type Reading, type Served } from './meter.ts';
import {
  revisionQueriesPerRequest,
  type CostModel,
  type IdleCost,
  type OperationCost,
  type RevisionQueryCost,
} from './model.ts';
import { OPERATIONS, revisionQueriesOf, type Operation, type Requests } from './operations.ts';

export const CALIBRATION_CONNECTIONS = 8;

/** Measurements of each kind alone, including the one that only queries the revision. */
export interface Calibration {
  alone: ReadonlyMap<Operation, Reading>;
  /** Cached loads on one connection, which share no query for the revision. */
  unshared: Reading;
}

export async function calibrate(
  served: Served,
  requests: Requests,
  seconds: number,
): Promise<Calibration> {
  const unshared = await readLoad(served, 1, seconds, requests['load-hot']);
  const alone = new Map<Operation, Reading>();
  for (const operation of OPERATIONS) {
    alone.set(
      operation,
      await readLoad(served, CALIBRATION_CONNECTIONS, seconds, requests[operation]),
    );
  }
  return { alone, unshared };
}

/**
 * Derives the cost model. A cached load costs a query for the revision plus the work of the process. Its costs alone
 * and shared on eight connections result in the cost of the query, which is subtracted from all other measurements.
 */
export function toModel({ alone, unshared }: Calibration, idle: IdleCost): CostModel<Operation> {
  const question = costOfQuestion(readingOf(alone, 'load-hot'), unshared);
  const operations = new Map(
    [...alone].map(([operation, reading]) => [operation, ownCost(operation, reading, question)]),
  );
  return { operations, question, idle };
}

export function readingOf(alone: Calibration['alone'], operation: Operation): Reading {
  const reading = alone.get(operation);
  if (reading === undefined) throw new Error(`${operation} was not measured`);
  return reading;
}

function ownCost(
  operation: Operation,
  reading: Reading,
  question: RevisionQueryCost,
): OperationCost {
  const { latency_ms, bytes } = reading;
  const questions = revisionQueriesOf(operation);
  const queries =
    questions *
    revisionQueriesPerRequest((CALIBRATION_CONNECTIONS * question.latency_ms) / latency_ms);
  const own = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    Math.max(0, reading[part] - queries * question[part]);
  return {
    server_ms: own('server_ms'),
    database_ms: own('database_ms'),
    busy_ms: own('busy_ms'),
    latency_ms,
    bytes,
    questions,
  };
}

function costOfQuestion(shared: Reading, unshared: Reading): RevisionQueryCost {
  // Cached loads send no other statements, so each statement is a revision query.
  const queries = shared.statements;
  if (queries >= 1) return { ...unshared, latency_ms: 0 };
  const perQuestion = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    Math.max(0, (unshared[part] - shared[part]) / (1 - queries));
  return {
    server_ms: perQuestion('server_ms'),
    database_ms: perQuestion('database_ms'),
    busy_ms: perQuestion('busy_ms'),
    latency_ms: arrivingFor(queries) / (shared.requests_per_second / 1000),
  };
}

function arrivingFor(questions: number): number {
  let [low, high] = [0, 1 / questions];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (revisionQueriesPerRequest(middle) > questions) low = middle;
    else high = middle;
  }
  return low;
}

/** Averages two calibrations, one before and one after the loads that they are compared with. */
export function averageOf(one: Calibration, other: Calibration): Calibration {
  return {
    alone: new Map(
      [...one.alone].map(([operation, reading]) => [
        operation,
        averageReading(reading, readingOf(other.alone, operation)),
      ]),
    ),
    unshared: averageReading(one.unshared, other.unshared),
  };
}

function averageReading(one: Reading, other: Reading): Reading {
  const mean = (part: keyof Reading): number => (one[part] + other[part]) / 2;
  return {
    requests: mean('requests'),
    requests_per_second: mean('requests_per_second'),
    latency_ms: mean('latency_ms'),
    server_ms: mean('server_ms'),
    database_ms: mean('database_ms'),
    busy_ms: mean('busy_ms'),
    bytes: mean('bytes'),
    statements: mean('statements'),
    rows: mean('rows'),
    buffers: mean('buffers'),
  };
}
