import { join } from 'node:path';
import { seededRandom } from '../../tools/seeded-random.ts';
import { startFromSource, type SourceProcess } from '../authz/source-process.ts';
import {
  firstOf,
  measurementOfFailures,
  resultOfParts,
  type Figure,
  type Measurement,
} from '../figure.ts';
import { areaUnderCurve, faceOf, openAsker, type Asker } from '../secrecy/ask.ts';
import { openSecretStage, type SecretStage } from '../secrecy/fixture.ts';
import { countTelltales } from '../secrecy/hidden-changes.ts';
import { askedIn, questions, type Question } from '../secrecy/questions.ts';

const ENGINES = ['sqlite', 'postgres'] as const;
const AT_MOST_OFF = 0.02;
/** Rounds of adding and removing hidden artifacts, for so many timed requests. */
const REQUESTS_PER_ROUND = 250;

export const secrecy: Figure = {
  name: 'secrecy',
  summary:
    'What is hidden against what is not there, on every read that takes a name and every write of a ' +
    'layer: answers whose bytes differ; how far the area under the curve of a classifier by latency is ' +
    'from chance, over n interleaved requests of each; and answers that change when hidden artifacts ' +
    'come and go.',
  kind: 'correctness',
  n: 10_000,
  small_n: 60,
  run: async ({ n, seed, folder }) => {
    const parts: Measurement[] = [];
    const notes: string[] = [];
    for (const engine of ENGINES) {
      const stage = await openSecretStage(engine, join(folder, engine), seed);
      try {
        const telltales = await countTelltales(stage, Math.ceil(n / REQUESTS_PER_ROUND), seed);
        const told = await compareAll(stage, n, seed);
        const worst = told.areas.toSorted((a, b) => off(b) - off(a));
        parts.push(
          measurementOfFailures(`secrecy-bytes-${engine}`, n, told.differing.length),
          timingOf(engine, n, Math.max(...told.areas.map(off))),
          measurementOfFailures(
            `secrecy-changes-${engine}`,
            telltales.answers,
            telltales.changed.length,
          ),
        );
        notes.push(
          `${engine}: area ${worst
            .slice(0, 3)
            .map(({ name, area }) => `${name} ${area.toFixed(4)}`)
            .join(', ')}, the rest nearer to 0.5; ${told.cpu_ms.toFixed(2)} ms of CPU a request`,
          ...[...told.differing, ...telltales.changed].slice(0, 3),
        );
      } finally {
        await stage.close();
      }
    }
    return resultOfParts('secrecy', parts, notes);
  },
};

interface Area {
  name: string;
  area: number;
}

function off({ area }: Area): number {
  return Math.abs(area - 0.5);
}

/** A small sample strays further by itself: four times its standard error is allowed. */
function timingOf(engine: string, n: number, value: number): Measurement {
  const strays = 4 * Math.sqrt((2 * n + 1) / (12 * n * n));
  const atMost = Math.max(AT_MOST_OFF, Math.round(strays * 1000) / 1000);
  return {
    name: `secrecy-timing-${engine}`,
    value,
    unit: 'of area off 0.5',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: `value <= ${atMost}`,
    met: value <= atMost,
  };
}

interface Compared {
  differing: string[];
  areas: Area[];
  cpu_ms: number;
}

async function compareAll(stage: SecretStage, n: number, seed: string): Promise<Compared> {
  const registry = await startFromSource(stage.settings);
  const asker = openAsker(registry.url, stage.caller);
  const random = seededRandom(`order ${seed}`);
  const compared: Compared = { differing: [], areas: [], cpu_ms: 0 };
  try {
    await warmUp(asker, stage, n);
    const before = registry.cpuMs();
    for (const question of questions) {
      const order = random.shuffle(Array.from({ length: 2 * n }, (_, at) => at % 2 === 0));
      compared.areas.push({
        name: question.name,
        area: await compareOne(asker, stage, question, order, compared.differing),
      });
    }
    compared.cpu_ms = cpuEach(registry, before, questions.length * 2 * n);
  } finally {
    asker.close();
    await registry.stop();
  }
  return compared;
}

function cpuEach(registry: SourceProcess, before: number, requests: number): number {
  return (registry.cpuMs() - before) / requests;
}

async function warmUp(asker: Asker, stage: SecretStage, n: number): Promise<void> {
  for (let turn = 0; turn < Math.min(n, 300); turn += 1) {
    for (const question of questions) {
      const { hidden, absent } = askedIn(stage, question);
      const pool = turn % 2 === 0 ? hidden : absent;
      await asker.ask(question.form(pool[turn % pool.length] ?? ''));
    }
  }
}

/** Asks in the given order, and notes answers that do not look like the first one did. */
async function compareOne(
  asker: Asker,
  stage: SecretStage,
  question: Question,
  order: readonly boolean[],
  differing: string[],
): Promise<number> {
  const { hidden, absent } = askedIn(stage, question);
  const times: Record<'hidden' | 'absent', number[]> = { hidden: [], absent: [] };
  let face: string | undefined;
  for (const [turn, isHidden] of order.entries()) {
    const pool = isHidden ? hidden : absent;
    const name = pool[turn % pool.length] ?? '';
    const answer = await asker.ask(question.form(name));
    times[isHidden ? 'hidden' : 'absent'].push(answer.ms);
    const own = faceOf(answer, name);
    face ??= own;
    if (own !== face) differing.push(`${question.name}: ${firstOf([own])} against ${face}`);
  }
  return areaUnderCurve(times.hidden, times.absent);
}
