import { setTimeout as delay } from 'node:timers/promises';
import type { EventBody } from '@catalog/contract/events';
import { ingestReport } from '@catalog/contract/records/ingest';
import { registeredLayer } from '@catalog/contract/records/layer';
import type { GitServer } from '@catalog/testkit/git-server';
import { openStream } from '@catalog/testkit/http-exchange';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { newestCursor } from '../replica-scale/check-fleet.ts';
import type { Fleet } from '../replica-scale/fleet.ts';
import { sendAndExpect } from '../serve-kill/client.ts';
import { readEventLine } from '../serve-kill/history.ts';
import {
  commitNext,
  findShownFault,
  generationOf,
  newGenerationLayer,
  type GenerationLayer,
} from './generations.ts';
import { countBelow, surfaces, type Hashed, type Surface } from './surfaces.ts';

export interface ScheduleResult {
  ingests: number;
  layer_writes: number;
  reads: number;
  events: number;
  faults: string[];
}

interface Stage {
  fleet: Fleet;
  random: SeededRandom;
  scope: string;
  layers: readonly GenerationLayer[];
  /** Hash of each `id@version`, which must never change. */
  hashes: Map<string, string>;
  result: ScheduleResult;
}

const LAYERS = ['a', 'b', 'c'];
const INGESTS = 3;
const LAYER_WRITES = 4;
const READS = 12;
const MAX_PAUSE_MS = 40;

/**
 * Runs concurrent ingests, layer writes and reads on random processes. Then reads everything on
 * every process and compares the results.
 */
export async function runSchedule(
  fleet: Fleet,
  git: GitServer,
  scope: string,
  random: SeededRandom,
): Promise<ScheduleResult> {
  const result = { ingests: 0, layer_writes: 0, reads: 0, events: 0, faults: [] };
  const layers = LAYERS.map((name) => {
    const id = `${scope}-${name}`;
    return newGenerationLayer(id, scope, git.addRepository(id));
  });
  const stage: Stage = {
    fleet,
    random,
    scope,
    layers,
    hashes: new Map(),
    result,
  };
  for (const layer of layers) {
    commitNext(layer, random);
    await register(stage, layer);
  }
  const since = await newestCursor(pickUrl(stage));
  await Promise.all([
    ...layers.map((layer) => times(stage, INGESTS, () => ingestNext(stage, layer))),
    times(stage, LAYER_WRITES, () => writeLayer(stage)),
    ...surfaces.map((surface) => times(stage, READS, () => readOnce(stage, surface))),
  ]);
  await checkQuiet(stage);
  await checkEvents(stage, since);
  for (const { id } of layers) await changeLayers(stage, 'DELETE', `?id=${id}`);
  return result;
}

async function times({ random }: Stage, count: number, step: () => Promise<void>): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await delay(random.int(MAX_PAUSE_MS));
    await step();
  }
}

function pickUrl({ fleet, random }: Stage): string {
  return random.pick(fleet.urls());
}

async function register(stage: Stage, { id, repository }: GenerationLayer): Promise<void> {
  const json = { id, source_type: 'git', repo: repository.url, ref: 'main' };
  await sendAndExpect(`${pickUrl(stage)}/v1/layers`, [201, registeredLayer], {
    method: 'POST',
    json,
  });
}

async function ingestNext(stage: Stage, layer: GenerationLayer): Promise<void> {
  await ingest(stage, layer, commitNext(layer, stage.random));
}

async function ingest(stage: Stage, layer: GenerationLayer, generation: number): Promise<void> {
  const url = `${pickUrl(stage)}/v1/layers/reingest?id=${layer.id}`;
  await sendAndExpect(url, [200, ingestReport], { method: 'POST' });
  layer.acknowledged = Math.max(layer.acknowledged, generation);
  stage.result.ingests += 1;
}

async function writeLayer(stage: Stage): Promise<void> {
  const { random, layers } = stage;
  const { id } = random.pick(layers);
  if (random.int(2) === 0) {
    const order = random.shuffle(layers).map((layer) => layer.id);
    await changeLayers(stage, 'POST', '/reorder', { order });
  } else {
    await changeLayers(stage, 'POST', `/update?id=${id}`, { owner: `owner ${random.int(9)}` });
  }
}

async function changeLayers(
  stage: Stage,
  method: string,
  path: string,
  json?: unknown,
): Promise<void> {
  const url = `${pickUrl(stage)}/v1/layers${path}`;
  await sendAndExpect(url, [200, { parse: (body) => body }], {
    method,
    ...(json === undefined ? {} : { json }),
  });
  stage.result.layer_writes += 1;
}

async function readOnce(stage: Stage, surface: Surface): Promise<void> {
  await checkReading(stage, surface, pickUrl(stage));
}

/** Reads an endpoint of a process. All changes that were acknowledged before must be visible. */
async function checkReading(stage: Stage, surface: Surface, url: string): Promise<void> {
  const { layers, scope, result } = stage;
  const from = new Map(layers.map(({ id, acknowledged }) => [id, acknowledged]));
  const reading = await surface.read(url, scope, layers);
  result.reads += 1;
  for (const layer of layers) {
    const shown = reading.shown.get(layer.id) ?? [];
    const given = { whole: reading.whole, from: from.get(layer.id) ?? 0 };
    const fault = findShownFault(layer, shown, given);
    if (fault !== undefined) result.faults.push(`${surface.name}: ${fault}`);
  }
  for (const hashed of reading.hashes) checkHash(stage, surface, hashed);
}

function checkHash(
  { hashes, result }: Stage,
  { name }: Surface,
  { id, version, content_hash }: Hashed,
): void {
  const key = `${id}@${version}`;
  const before = hashes.get(key) ?? content_hash;
  hashes.set(key, before);
  if (before !== content_hash) result.faults.push(`${name}: ${key} has two contents`);
}

/** After the schedule, checks that every surface of every process shows the newest generations. */
async function checkQuiet(stage: Stage): Promise<void> {
  const { fleet, layers, scope, result } = stage;
  for (const layer of layers) await ingest(stage, layer, layer.generations.length);
  const expected = layers.reduce(
    (sum, { generations }) => sum + (generations.at(-1)?.size ?? 0),
    0,
  );
  for (const url of fleet.urls()) {
    for (const surface of surfaces) await checkReading(stage, surface, url);
    const counted = await countBelow(url, scope);
    if (counted !== expected) {
      result.faults.push(`${counted} artifacts are counted below ${scope}, not ${expected}`);
    }
  }
}

/** Checks that all processes send the same events, in the order of commits for each layer. */
async function checkEvents(stage: Stage, since: string): Promise<void> {
  const { fleet, layers, result } = stage;
  const until = await newestCursor(pickUrl(stage));
  const received = await Promise.all(fleet.urls().map((url) => readEvents(url, since, until)));
  const [first = [], ...others] = received;
  result.events += first.length;
  for (const events of others) {
    if (JSON.stringify(events) === JSON.stringify(first)) continue;
    result.faults.push('two processes tell different events');
  }
  for (const layer of layers) result.faults.push(...findOrderFaults(layer, first));
}

function findOrderFaults({ id, commits }: GenerationLayer, events: readonly EventBody[]): string[] {
  const faults: string[] = [];
  const published = new Set<string>();
  let newest = 0;
  for (const { event, data } of events) {
    if (data['layer'] !== id) continue;
    const generation = generationOfEvent(event, data, commits);
    if (generation === undefined) continue;
    if (generation < newest) faults.push(`${id}: an event of ${generation} after one of ${newest}`);
    newest = Math.max(newest, generation);
    if (event !== 'artifact.published') continue;
    const key = `${String(data['id'])}@${String(data['version'])}`;
    if (published.has(key)) faults.push(`${key} was published twice`);
    published.add(key);
  }
  return faults;
}

function generationOfEvent(
  event: string,
  data: EventBody['data'],
  commits: readonly string[],
): number | undefined {
  if (event === 'artifact.published') return generationOf(String(data['version']));
  return event === 'layer.ingested' ? commits.indexOf(String(data['reference'])) + 1 : undefined;
}

async function readEvents(url: string, since: string, until: string): Promise<EventBody[]> {
  const stream = await openStream(url, `/v1/events?since=${since}`);
  const events: EventBody[] = [];
  try {
    while (events.at(-1)?.cursor !== until) {
      const line = await stream.next();
      if (line === undefined) throw new Error(`the events of ${url} end before ${until}`);
      const event = readEventLine(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  } finally {
    stream.close();
  }
}
