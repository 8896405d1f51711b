import { readLoad, type Reading, type Served } from './meter.ts';
import {
  questionsPerRequest,
  type CostModel,
  type IdleCost,
  type OperationCost,
  type QuestionCost,
} from './model.ts';
import { OPERATIONS, questionsOf, type Operation, type Requests } from './operations.ts';

/** Connections on which each kind of request is measured alone. */
export const ALONE = 8;

/** What was measured of each kind alone, and of the one that does nothing but ask for the revision. */
export interface Calibration {
  alone: ReadonlyMap<Operation, Reading>;
  /** Loads of what is kept, on one connection: each asks a question of its own. */
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
    alone.set(operation, await readLoad(served, ALONE, seconds, requests[operation]));
  }
  return { alone, unshared };
}

/**
 * Takes measured loads apart. A load of what is kept is one question and what the process does by itself,
 * so its cost alone on one connection and shared on eight tell what the question costs; every other kind
 * is what is left of it.
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

function ownCost(operation: Operation, reading: Reading, question: QuestionCost): OperationCost {
  const { latency_ms, bytes } = reading;
  const questions = questionsOf(operation);
  const asked = questions * questionsPerRequest((ALONE * question.latency_ms) / latency_ms);
  const own = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    Math.max(0, reading[part] - asked * question[part]);
  return {
    server_ms: own('server_ms'),
    database_ms: own('database_ms'),
    busy_ms: own('busy_ms'),
    latency_ms,
    bytes,
    questions,
  };
}

function costOfQuestion(shared: Reading, unshared: Reading): QuestionCost {
  // What is kept needs no other statement, so statements are questions.
  const asked = shared.statements;
  if (asked >= 1) return { ...unshared, latency_ms: 0 };
  const perQuestion = (part: 'server_ms' | 'database_ms' | 'busy_ms'): number =>
    Math.max(0, (unshared[part] - shared[part]) / (1 - asked));
  return {
    server_ms: perQuestion('server_ms'),
    database_ms: perQuestion('database_ms'),
    busy_ms: perQuestion('busy_ms'),
    latency_ms: arrivingFor(asked) / (shared.requests_per_second / 1000),
  };
}

/** How many have to come during a question for so many questions a request. */
function arrivingFor(questions: number): number {
  let [low, high] = [0, 1 / questions];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (questionsPerRequest(middle) > questions) low = middle;
    else high = middle;
  }
  return low;
}

/** The average of two calibrations, one before and one after what they are held against. */
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
