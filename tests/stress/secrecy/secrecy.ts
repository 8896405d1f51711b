import { join } from 'node:path';
import {
  measurementOfFailures,
  resultOfParts,
  type Measurement,
} from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { startFromSource, type SourceProcess } from '../authz-matrix/source-process.ts';
import { singleRun } from '../single-run.ts';
import {
  areaUnderCurve,
  observableContent,
  openTimedClient,
  type TimedClient,
} from './timed-client.ts';
import {
  openSecretStage,
  type NamePools,
  type SecretRegistry,
  type SecretStage,
} from './fixture.ts';
import { countChangedResponses } from './hidden-changes.ts';
import { namesIn, questions, type Question } from './questions.ts';

const ENGINES = ['sqlite', 'postgres'] as const;
const MAX_DEVIATION = 0.02;
/** Number of timed requests per round of adding and removing hidden artifacts. */
const REQUESTS_PER_ROUND = 250;

export const secrecy = singleRun({
  name: 'secrecy',
  summary:
    'Compares hidden resources with missing ones on every read by name and every layer write. Counts responses whose bytes differ, including searches compared with a registry that has nothing hidden. Measures how well a classifier can tell them apart by latency, over n interleaved requests of each, and counts responses that change when hidden artifacts are added or removed.',
  servers: true,
  alone: true,
  n: 10_000,
  small_n: 60,
  run: async ({ n, seed, folder }) => {
    const parts: Measurement[] = [];
    const notes: string[] = [];
    for (const engine of ENGINES) {
      const stage = await openSecretStage(engine, join(folder, engine), seed);
      try {
        const outcome = await compareAll(stage, n, seed);
        const changedResponses = await countChangedResponses(
          stage,
          Math.ceil(n / REQUESTS_PER_ROUND),
          seed,
        );
        const worst = outcome.areas.toSorted((a, b) => off(b) - off(a));
        parts.push(
          measurementOfFailures(`secrecy-bytes-${engine}`, n, outcome.differing.length),
          timingOf(engine, n, Math.max(...outcome.areas.map(off))),
          measurementOfFailures(
            `secrecy-changes-${engine}`,
            changedResponses.answers,
            changedResponses.changed.length,
          ),
        );
        notes.push(
          `${engine}: area ${worst
            .slice(0, 3)
            .map(({ name, area }) => `${name} ${area.toFixed(4)}`)
            .join(
              ', ',
            )}, the rest nearer to 0.5; ${outcome.cpu_ms.toFixed(2)} ms of CPU per request`,
          ...[...outcome.differing, ...changedResponses.changed].slice(0, 3),
        );
      } finally {
        await stage.close();
      }
    }
    return resultOfParts('secrecy', parts, notes);
  },
});

interface Area {
  name: string;
  area: number;
}

function off({ area }: Area): number {
  return Math.abs(area - 0.5);
}

/** Allows four times the standard error, because a small sample varies more. */
function timingOf(engine: string, n: number, value: number): Measurement {
  const strays = 4 * Math.sqrt((2 * n + 1) / (12 * n * n));
  const maxDeviation = Math.max(MAX_DEVIATION, Math.round(strays * 1000) / 1000);
  return {
    name: `secrecy-timing-${engine}`,
    value,
    unit: 'of area off 0.5',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: `value <= ${maxDeviation}`,
    met: value <= maxDeviation,
  };
}

interface Compared {
  differing: string[];
  areas: Area[];
  cpu_ms: number;
}

/** Sends half to each registry, so that the cost of a name itself affects both sides. */
async function compareAll(stage: SecretStage, n: number, seed: string): Promise<Compared> {
  const rightFaces = await readExpectedFaces(stage);
  const [one, other] = stage.registries;
  const half = Math.ceil(n / 2);
  const first = await compareIn(one, { stage, rightFaces, n: half, seed });
  const second = await compareIn(other, { stage, rightFaces, n: half, seed });
  return {
    differing: [...first.differing, ...second.differing],
    areas: first.areas.map(({ name, area }, at) => ({
      name,
      area: (area + (second.areas[at]?.area ?? 0)) / 2,
    })),
    cpu_ms: (first.cpu_ms + second.cpu_ms) / 2,
  };
}

type Faces = ReadonlyMap<string, string>;

async function compareIn(
  secret: SecretRegistry,
  how: { stage: SecretStage; rightFaces: ReadonlyMap<Question, Faces>; n: number; seed: string },
): Promise<Compared> {
  const { stage, rightFaces, n, seed } = how;
  const registry = await startFromSource(secret.settings);
  const client = openTimedClient(registry.url, stage.caller);
  const random = seededRandom(`order ${seed}`);
  const compared: Compared = { differing: [], areas: [], cpu_ms: 0 };
  try {
    await warmUp(client, secret, n);
    const before = registry.cpuMs();
    for (const question of questions) {
      const order = random.shuffle(Array.from({ length: 2 * n }, (_, at) => at % 2 === 0));
      const requestedNames = namesIn(secret, question);
      const comparison = {
        ...requestedNames,
        question,
        order,
        rightFaces: rightFaces.get(question),
      };
      const area = await compareOne(client, comparison, compared.differing);
      compared.areas.push({ name: question.name, area });
    }
    compared.cpu_ms = cpuEach(registry, before, questions.length * 2 * n);
  } finally {
    client.close();
    await registry.stop();
  }
  return compared;
}

function cpuEach(registry: SourceProcess, before: number, requests: number): number {
  return (registry.cpuMs() - before) / requests;
}

async function warmUp(client: TimedClient, secret: SecretRegistry, n: number): Promise<void> {
  for (let turn = 0; turn < Math.min(n, 300); turn += 1) {
    for (const question of questions) {
      const { hidden, absent } = namesIn(secret, question);
      const pool = turn % 2 === 0 ? hidden : absent;
      await client.send(question.form(pool[turn % pool.length] ?? ''));
    }
  }
}

/** Returns the response of the twin without hidden resources, by name. */
async function readExpectedFaces({
  twin,
  caller,
  registries: [secret],
}: SecretStage): Promise<Map<Question, Faces>> {
  const registry = await startFromSource(twin);
  const client = openTimedClient(registry.url, caller);
  const faces = new Map<Question, Faces>();
  try {
    for (const question of questions.filter(({ searches }) => searches)) {
      const { hidden, absent } = namesIn(secret, question);
      const ofNames = new Map<string, string>();
      for (const name of [...hidden, ...absent]) {
        ofNames.set(name, observableContent(await client.send(question.form(name)), name));
      }
      faces.set(question, ofNames);
    }
  } finally {
    client.close();
    await registry.stop();
  }
  return faces;
}

interface Comparison extends NamePools {
  question: Question;
  /** True at each position at which the request is for a hidden resource. */
  order: readonly boolean[];
  /**
   * Expected responses by name; undefined if every name must get the same response as the first
   * one.
   */
  rightFaces: Faces | undefined;
}

async function compareOne(
  client: TimedClient,
  { question, hidden, absent, order, rightFaces }: Comparison,
  differing: string[],
): Promise<number> {
  const times: Record<'hidden' | 'absent', number[]> = { hidden: [], absent: [] };
  let first: string | undefined;
  for (const [turn, isHidden] of order.entries()) {
    const pool = isHidden ? hidden : absent;
    const name = pool[turn % pool.length] ?? '';
    const answer = await client.send(question.form(name));
    times[isHidden ? 'hidden' : 'absent'].push(answer.ms);
    const own = observableContent(answer, name);
    first ??= own;
    const right = rightFaces === undefined ? first : rightFaces.get(name);
    if (own !== right) differing.push(`${question.name}: ${differenceOf(own, right ?? '')}`);
  }
  return areaUnderCurve(times.hidden, times.absent);
}

function differenceOf(own: string, right: string): string {
  let at = 0;
  while (at < own.length && own[at] === right[at]) at += 1;
  const part = (face: string): string => face.slice(Math.max(0, at - 40), at + 80);
  return `${part(own)} against ${part(right)}`;
}
