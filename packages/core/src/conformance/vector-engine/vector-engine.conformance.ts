import { embedText } from '@catalog/testkit/test-embedder';
import { describe, expect, test } from 'vitest';
import {
  MAX_NEAREST,
  type EngineHit,
  type EnginePoint,
  type EngineQuery,
  type VectorEngine,
} from '../../ports/vector-engine.ts';

/** A place in a vector engine. Other tests may share the collection, so each check uses its own model. */
export interface EnginePlace {
  engine: VectorEngine;
  model: string;
  dimensions: number;
  newTenant: () => number;
}

type EngineCheck = (place: EnginePlace) => Promise<void>;

export const engineChecks = {
  'put is found, the nearest first': checkPut,
  'what is put again is replaced': checkReplaced,
  'what is removed is gone': checkRemoved,
  'tenants are kept apart': checkTenants,
  'models are kept apart, and go as a whole': checkModels,
  'vectors of other dimensions are refused': checkDimensions,
  'no more than top_k are answered': checkBound,
  'the nearest of some hundred are found': checkRecall,
  'layer, kind, type, all tags, scope and keys are filtered by': checkFilters,
} as const satisfies Readonly<Record<string, EngineCheck>>;

export const selfEmbeddingChecks = {
  'texts are found by texts, the nearest first': checkTexts,
  'a text that is put again is replaced, and one that is removed is gone': checkTextHistory,
} as const satisfies Readonly<Record<string, EngineCheck>>;

export function vectorEngineConformance(open: () => Promise<EnginePlace>): void {
  describe('vector engine', () => {
    test.each(Object.entries(engineChecks))('%s', async (_, check) => check(await open()));
  });
}

export function selfEmbeddingConformance(open: () => Promise<EnginePlace>): void {
  describe('vector engine that embeds texts', () => {
    test.each(Object.entries(selfEmbeddingChecks))('%s', async (_, check) => check(await open()));
  });
}

async function checkPut(place: EnginePlace): Promise<void> {
  const { put, poll, find } = openTenant(place);
  await put({ id: 'a/invoice', text: 'send an invoice' }, { id: 'a/deploy', text: 'deploy it' });
  await put({ id: 'a/both', text: 'invoice deploy' });
  await poll(async () => (await find('invoice deploy')).length).toBe(3);
  const [best, second] = await find('invoice deploy');
  expect(best).toMatchObject({ id: 'a/both', layer: 1, kind: 'artifact' });
  expect(best?.similarity).toBeCloseTo(1, 2);
  expect(second?.similarity).toBeLessThan(0.99);
}

async function checkReplaced(place: EnginePlace): Promise<void> {
  const { put, poll, find, ids, count } = openTenant(place);
  await put({ id: 'a', text: 'invoice', type: 'skill' }, { id: 'b', text: 'something else' });
  await poll(() => ids('invoice')).toEqual(['a', 'b']);
  await put({ id: 'a', text: 'deploy', type: 'rule' });
  await poll(async () => (await find('deploy'))[0]?.similarity).toBeCloseTo(1, 2);
  expect((await find('deploy'))[0]).toMatchObject({ id: 'a' });
  expect(await ids('deploy', { type: 'skill' })).toEqual(['b']);
  expect(await ids('deploy', { type: 'rule' })).toEqual(['a']);
  await poll(() => count('artifact')).toBe(2);
}

async function checkRemoved(place: EnginePlace): Promise<void> {
  const { put, poll, ids, remove, count } = openTenant(place);
  await remove('never there');
  await put({ id: 'a', text: 'invoice' }, { id: 'b', text: 'invoice' }, { id: 'c', text: 'other' });
  await poll(() => ids('invoice')).toEqual(['a', 'b', 'c']);
  await remove('a', 'c', 'unknown');
  await poll(() => ids('invoice')).toEqual(['b']);
  await poll(() => count('artifact')).toBe(1);
}

async function checkTenants(place: EnginePlace): Promise<void> {
  const one = openTenant(place);
  const other = openTenant(place);
  await one.put({ id: 'a', text: 'invoice' }, { id: 'mine', text: 'invoice' });
  await other.put({ id: 'a', text: 'deploy' }, { id: 'theirs', text: 'invoice' });
  await one.poll(() => one.ids('invoice')).toEqual(['a', 'mine']);
  await one.poll(() => other.ids('invoice')).toEqual(['a', 'theirs']);
  const key = { layer: 1, kind: 'artifact', id: 'theirs' } as const;
  expect(await one.find('invoice', { keys: [key] })).toEqual([]);
  expect((await other.find('deploy'))[0]).toMatchObject({ id: 'a' });
  await one.remove('a', 'mine', 'theirs');
  await one.poll(() => one.ids('invoice')).toEqual([]);
  expect(await other.ids('invoice')).toEqual(['a', 'theirs']);
  expect(await other.count('artifact')).toBe(2);
}

async function checkModels(place: EnginePlace): Promise<void> {
  const { put, poll, ids, tenant } = openTenant(place);
  const second = openTenant({ ...place, model: `${place.model}/2`, newTenant: () => tenant });
  await put({ id: 'a', text: 'invoice' });
  await second.put({ id: 'b', text: 'invoice' });
  await poll(() => ids('invoice')).toEqual(['a']);
  await poll(() => second.ids('invoice')).toEqual(['b']);
  await place.engine.removeModel(`${place.model}/2`);
  await poll(() => second.ids('invoice')).toEqual([]);
  expect(await second.count('artifact')).toBe(0);
  expect(await ids('invoice')).toEqual(['a']);
}

async function checkDimensions(place: EnginePlace): Promise<void> {
  const { put, poll, ids, find } = openTenant(place);
  await put({ id: 'a', text: 'invoice' });
  await poll(() => ids('invoice')).toEqual(['a']);
  expect(await place.engine.check()).toEqual({ dimensions: place.dimensions });
  const other = openTenant({ ...place, dimensions: place.dimensions - 1 });
  await expect(other.put({ id: 'b', text: 'invoice' })).rejects.toMatchObject(REFUSED);
  const meaning = { vector: embedText('invoice', place.dimensions + 1) };
  await expect(find('invoice', { meaning })).rejects.toMatchObject(REFUSED);
  expect(await other.count('artifact')).toBe(0);
}

const REFUSED = { name: 'CatalogError', code: 'registry.unavailable' };

async function checkBound(place: EnginePlace): Promise<void> {
  const { put, poll, find } = openTenant(place);
  await put(...Array.from({ length: 12 }, (_, index) => ({ id: `a/${index}`, text: 'invoice' })));
  await poll(async () => (await find('invoice', { top_k: MAX_NEAREST * 20 })).length).toBe(12);
  expect(await find('invoice', { top_k: 5 })).toHaveLength(5);
  expect(await find('invoice', { top_k: 1 })).toHaveLength(1);
}

const RECALL = { points: 300, queries: 20, nearest: 10, at_least: 0.95 };

async function checkRecall(place: EnginePlace): Promise<void> {
  const { put, poll, find, count } = openTenant(place);
  const meaningOf = createMixer(place.dimensions);
  const points = Array.from({ length: RECALL.points }, (_, index) => ({
    id: `d/${index}`,
    vector: meaningOf(index),
  }));
  await put(...points.map(({ id, vector }) => ({ id, text: '', meaning: { vector } })));
  await poll(() => count('artifact')).toBe(RECALL.points);
  let found = 0;
  for (let query = 0; query < RECALL.queries; query += 1) {
    const vector = meaningOf(10_000 + query);
    const exact = new Map(points.map((point) => [point.id, dot(point.vector, vector)]));
    const nearest = [...exact.values()].sort((a, b) => b - a).slice(0, RECALL.nearest);
    const hits = await find('', { meaning: { vector }, top_k: RECALL.nearest });
    // Engines store vectors with different precision, so results about as near as the last one may be swapped.
    const least = (nearest.at(-1) ?? 0) - 1e-3;
    found += hits.filter(({ id }) => (exact.get(id) ?? 0) > least).length;
    expect(hits[0]?.similarity).toBeCloseTo(nearest[0] ?? 0, 2);
  }
  expect(found / (RECALL.queries * RECALL.nearest)).toBeGreaterThanOrEqual(RECALL.at_least);
}

const WORDS = 61;

/** Creates a function that mixes words, so that some vectors are more similar than others. */
function createMixer(dimensions: number): (seed: number) => Float32Array {
  const words = Array.from({ length: WORDS }, (_, word) => embedText(`word${word}`, dimensions));
  return (seed) => {
    const mixed = new Float32Array(dimensions);
    for (let step = 0; step < 6; step += 1) {
      const word = words[(Math.imul(seed + 1, 2_654_435_761) >>> (step * 4)) % WORDS];
      word?.forEach((value, place) => (mixed[place] = (mixed[place] ?? 0) + value));
    }
    const length = Math.sqrt(dot(mixed, mixed));
    return mixed.map((value) => value / length);
  };
}

async function checkFilters(place: EnginePlace): Promise<void> {
  const { put, poll, ids } = openTenant(place);
  const text = 'invoice';
  await put(
    { id: 'ops/a', text, tags: ['x', 'y'] },
    { id: 'ops/a/b', text, tags: ['x'] },
    { id: 'a/ops', text, tags: ['X y', 'y-x'] },
    { id: 'opsx/c', text, tags: ['"quoted" \\ {1}', 'größe'] },
    { id: 'ops/rule', text, type: 'rule', tags: ['y'] },
    { id: 'ops/a', text, layer: 2, type: 'rule' },
    { id: 'ops', text, kind: 'domain', type: '' },
  );
  const every = ['a/ops', 'ops/a', 'ops/a', 'ops/a/b', 'ops/rule', 'opsx/c'];
  await poll(() => ids(text, { layers: [1, 2] })).toEqual(every);
  expect(await ids(text, { layers: [2] })).toEqual(['ops/a']);
  expect(await ids(text, { layers: [3] })).toEqual([]);
  await poll(() => ids(text, { kind: 'domain' })).toEqual(['ops']);
  expect(await ids(text, { type: 'rule' })).toEqual(['ops/rule']);
  expect(await ids(text, { tags: ['x'] })).toEqual(['ops/a', 'ops/a/b']);
  expect(await ids(text, { tags: ['y', 'x'] })).toEqual(['ops/a']);
  expect(await ids(text, { tags: ['X y'] })).toEqual(['a/ops']);
  expect(await ids(text, { tags: ['"quoted" \\ {1}', 'größe'] })).toEqual(['opsx/c']);
  expect(await ids(text, { tags: ['x', 'z'] })).toEqual([]);
  expect(await ids(text, { scope: 'ops' })).toEqual(['ops/a', 'ops/a/b', 'ops/rule']);
  expect(await ids(text, { scope: 'ops/a' })).toEqual(['ops/a', 'ops/a/b']);
  expect(await ids(text, { scope: 'ops', type: 'rule', layers: [1, 2] })).toEqual([
    'ops/a',
    'ops/rule',
  ]);
  const keys = ['ops/a/b', 'opsx/c', 'unknown'].map(
    (id) => ({ layer: 1, kind: 'artifact', id }) as const,
  );
  expect(await ids(text, { keys })).toEqual(['ops/a/b', 'opsx/c']);
}

async function checkTexts(place: EnginePlace): Promise<void> {
  const { putTexts, poll, findText } = openTenant(place);
  const texts = [
    'send an invoice to a customer',
    'deploy the service to production',
    'review a pull request',
    'translate the documentation',
    'rotate the credentials of the database',
  ];
  await putTexts(...texts.map((text, index) => ({ id: `t/${index}`, text })));
  await poll(async () => (await findText('invoice')).length).toBe(texts.length);
  const questions = [
    'send a customer an invoice',
    'deploy to production',
    'pull request review',
    'documentation to translate',
    'database credentials rotate',
  ];
  for (const [index, question] of questions.entries()) {
    const hits = await findText(question, { top_k: 2 });
    expect(hits).toHaveLength(2);
    expect(hits[0], question).toMatchObject({ id: `t/${index}`, layer: 1 });
    expect(hits[0]?.similarity).toBeGreaterThan(hits[1]?.similarity ?? 1);
  }
  expect((await findText(texts[2] ?? ''))[0]?.similarity).toBeGreaterThan(0.9);
}

async function checkTextHistory(place: EnginePlace): Promise<void> {
  const { putTexts, poll, findText, remove } = openTenant(place);
  const other = openTenant(place);
  await putTexts({ id: 'a', text: 'send an invoice' }, { id: 'b', text: 'review a pull request' });
  await poll(async () => (await findText('send an invoice'))[0]?.id).toBe('a');
  await putTexts({ id: 'a', text: 'deploy the service' });
  await poll(async () => (await findText('deploy the service'))[0]?.id).toBe('a');
  await remove('a');
  await poll(async () => (await findText('deploy')).map(({ id }) => id)).toEqual(['b']);
  expect(await other.findText('deploy')).toEqual([]);
}

interface TextPoint extends Partial<EnginePoint> {
  id: string;
  text: string;
}

interface OpenTenant {
  tenant: number;
  put: (...points: TextPoint[]) => Promise<void>;
  putTexts: (...points: TextPoint[]) => Promise<void>;
  remove: (...ids: string[]) => Promise<void>;
  find: (text: string, given?: Partial<EngineQuery>) => Promise<EngineHit[]>;
  findText: (text: string, given?: Partial<EngineQuery>) => Promise<EngineHit[]>;
  ids: (text: string, given?: Partial<EngineQuery>) => Promise<string[]>;
  count: (kind: EnginePoint['kind']) => Promise<number>;
  /** Polls, because an engine may show new vectors with a delay. */
  poll: <Value>(readValue: () => Promise<Value>) => ReturnType<typeof expect.poll<Value>>;
}

const SHOWN_WITHIN_MS = 45_000;

function openTenant({ engine, model, dimensions, newTenant }: EnginePlace): OpenTenant {
  const tenant = newTenant();

  async function put(
    points: readonly TextPoint[],
    toMeaning: (text: string) => EnginePoint['meaning'],
  ): Promise<void> {
    const whole = points.map(({ text, ...given }) => ({
      layer: 1,
      kind: 'artifact' as const,
      type: 'skill',
      tags: [],
      ...given,
      meaning: given.meaning ?? toMeaning(text),
    }));
    for (let start = 0; start < whole.length; start += engine.batch_size) {
      await engine.put(tenant, model, whole.slice(start, start + engine.batch_size));
    }
  }

  function find(
    meaning: EnginePoint['meaning'],
    given: Partial<EngineQuery>,
  ): Promise<EngineHit[]> {
    return engine.query(tenant, model, {
      kind: 'artifact',
      layers: [1],
      type: '',
      tags: [],
      scope: '',
      keys: [],
      top_k: 10,
      meaning,
      ...given,
    });
  }

  const open: OpenTenant = {
    tenant,
    put: (...points) => put(points, (text) => ({ vector: embedText(text, dimensions) })),
    putTexts: (...points) => put(points, (text) => ({ text })),
    remove: (...ids) =>
      engine.remove(
        tenant,
        model,
        ids.map((id) => ({ layer: 1, kind: 'artifact', id })),
      ),
    find: (text, given = {}) =>
      find(given.meaning ?? { vector: embedText(text, dimensions) }, given),
    findText: (text, given = {}) => find({ text }, given),
    ids: async (text, given) => (await open.find(text, given)).map(({ id }) => id).sort(),
    count: (kind) => engine.count(tenant, model, kind),
    poll: (readValue) => expect.poll(readValue, { timeout: SHOWN_WITHIN_MS, interval: 25 }),
  };
  return open;
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
