import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { encode } from '@catalog/embedder/encode';
import { DATA_FOLDER } from '@catalog/embedder/read-data';
import { StaticEncoder } from '../baselines/reference-encoder.mjs';
import type { LoadCost } from '../encode/load-encoder.ts';
import { median, resultOfParts, type Figure, type Measurement } from '../figure.ts';
import { readReferenceSets } from '../search-sets/reference-sets.ts';

const LOAD_ENCODER = join(import.meta.dirname, '../encode/load-encoder.ts');
const ROUNDS = 5;
const DESCRIPTION_LENGTH = 190;
const QUERY_AT_MOST = 100;
const AT_MOST = 1.3;

type Encoder = (text: string) => Float32Array;

export const encodeCost: Figure = {
  name: 'encode-cost',
  summary:
    'CPU time to encode a query and a description of 190 characters with the built-in model, and to load the model, compared with the reference encoder of its training code. Alternates between the two, with n texts of each.',
  kind: 'speed',
  n: 100_000,
  small_n: 2_000,
  run: ({ n }) => {
    const reference = StaticEncoder.load(DATA_FOLDER);
    const sides: [Encoder, Encoder] = [encode, (text) => reference.encode(text)];
    const { queries, descriptions } = makeTexts();
    const query = inTurns(sides, queries, n);
    const description = inTurns(sides, descriptions, n);
    const loads = Array.from(
      { length: ROUNDS },
      () => [load('builtin'), load('reference')] as const,
    );
    const parts = [
      partOf('query', 'µs of CPU', query, {
        n,
        goal: `value < ${QUERY_AT_MOST}`,
        met: query[0] < QUERY_AT_MOST,
      }),
      ratioPart('description', 'µs of CPU', description, n),
      ratioPart(
        'load',
        'ms of CPU',
        mediansOf(loads, ({ cpu_ms }) => cpu_ms),
        ROUNDS,
      ),
      ratioPart(
        'memory',
        'MiB',
        mediansOf(loads, ({ mebibytes }) => mebibytes),
        ROUNDS,
      ),
    ];
    return resultOfParts('encode-cost', parts, [
      'baseline: node bench/baselines/reference-encoder.mjs, which keeps its table unpacked; both remember words, and the texts repeat',
      `queries of ${meanLength(queries)} characters on average, of the sets the model was measured with; descriptions of the same, joined and cut`,
      'load: the first vector of a process, with reading and checking the files; memory: the heap and buffers that stay',
    ]);
  },
};

function makeTexts(): { queries: string[]; descriptions: string[] } {
  const sets = readReferenceSets();
  const texts = sets[0].documents.map(({ description }) => description);
  return {
    queries: sets.flatMap((set) => set.queries.map(({ query }) => query)),
    descriptions: texts.map((_, at) =>
      [...texts.slice(at), ...texts.slice(0, at)].join(' ').slice(0, DESCRIPTION_LENGTH),
    ),
  };
}

/** Microseconds of CPU for a text on both sides: medians of rounds that take turns, after a warm one. */
function inTurns(sides: [Encoder, Encoder], texts: readonly string[], n: number): [number, number] {
  const rounds = Array.from({ length: ROUNDS + 1 }, () =>
    sides.map((side) => microsecondsOf(side, texts, Math.ceil(n / ROUNDS))),
  ).slice(1);
  return [median(rounds.map(([own = 0]) => own)), median(rounds.map(([, bare = 0]) => bare))];
}

function microsecondsOf(side: Encoder, texts: readonly string[], count: number): number {
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) side(texts[done % texts.length] ?? '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function load(which: 'builtin' | 'reference'): LoadCost {
  const words = ['--conditions=@catalog/source', '--expose-gc', LOAD_ENCODER, which];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the encoder was not loaded: ${stderr}`);
  return JSON.parse(stdout);
}

function mediansOf(
  loads: readonly (readonly [LoadCost, LoadCost])[],
  read: (cost: LoadCost) => number,
): [number, number] {
  return [median(loads.map(([own]) => read(own))), median(loads.map(([, bare]) => read(bare)))];
}

function ratioPart(name: string, unit: string, sides: [number, number], n: number): Measurement {
  const [value, baseline] = sides;
  return partOf(name, unit, sides, {
    n,
    goal: `ratio <= ${AT_MOST}`,
    met: value / baseline <= AT_MOST,
  });
}

function partOf(
  name: string,
  unit: string,
  [value, baseline]: [number, number],
  claim: Pick<Measurement, 'n' | 'goal' | 'met'>,
): Measurement {
  const ratio = value / baseline;
  return { name: `encode-cost-${name}`, value, unit, baseline, ratio, cpu_ratio: null, ...claim };
}

function meanLength(texts: readonly string[]): number {
  return Math.round(texts.reduce((sum, { length }) => sum + length, 0) / texts.length);
}
