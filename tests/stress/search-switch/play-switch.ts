import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { reembedResult } from '@catalog/contract/records/reembed';
import type { EmbeddingServer } from '@catalog/testkit/embedding-servers/open-embedding-server';
import {
  startRegistryProcess,
  untilKilled,
  type RegistryProcess,
  type RegistryProcessOptions,
} from '../../../bench/registry-process.ts';
import {
  isFoundByWords,
  publish,
  register,
  waitForVectorHit,
  writeCases,
  type SearchedLayer,
} from '../search-faults/published-artifacts.ts';
import { search, startSearchers, type Search } from '../search-faults/searchers.ts';
import { sendAndExpect } from '../serve-kill/client.ts';

type Variables = NonNullable<RegistryProcessOptions['env']>;

export interface SwitchStage {
  n: number;
  folder: string;
  env: Variables;
  provider: EmbeddingServer;
  other: Variables;
  /** Home folder of the second registry, if both run at the same time. */
  second_home?: string;
}

interface Load {
  searches: number;
  p99: number;
  took_ms: number;
}

export interface Switch {
  reembed: Load;
  model: Load;
  faults: string[];
}

const SEARCHERS = 4;
/** Artifacts that are published before the new model has all vectors. */
const EARLY_ARTIFACTS = ['novelty', 'surprise', 'tidings'];
const LATE_ARTIFACT = 'epilogue';
const TIMEOUT_MS = 300_000;

export async function playSwitch(stage: SwitchStage): Promise<Switch> {
  const { n, folder, env, second_home: secondHome } = stage;
  const layer = { id: 'base', folder: join(folder, 'source') };
  writeCases(layer, n);
  const faults: string[] = [];
  const first = await startRegistryProcess(folder, { env });
  try {
    await register(first.url, layer);
    await reembed(first.url, '?only_missing=true');
    const again = await underSearches([first.url], faults, async () => {
      const { total, failed } = await reembed(first.url, '');
      if (total !== n || failed > 0) faults.push(`${total} were made anew, ${failed} failed`);
    });
    if (secondHome === undefined) await first.stop();
    const start = () =>
      startRegistryProcess(secondHome ?? folder, { env: { ...env, ...stage.other } });
    const model = await untilKilled(start, (second) =>
      switchModel(stage, secondHome === undefined ? [second] : [first, second], layer, faults),
    );
    return { reembed: again, model, faults };
  } finally {
    await first.kill();
  }
}

/** Searches until the last registry uses its own model; all must find the new artifacts. */
async function switchModel(
  { n, provider }: SwitchStage,
  registries: readonly RegistryProcess[],
  layer: SearchedLayer,
  faults: string[],
): Promise<Load> {
  const urls = registries.map(({ url }) => url);
  const [entrance = '', last = ''] = [urls[0], urls.at(-1)];
  return underSearches(urls, faults, async () => {
    for (const word of EARLY_ARTIFACTS) {
      await publish(entrance, layer, word);
      faults.push(...(await findAbsent(urls, word)));
    }
    const embedded = await waitForQuery(last, provider);
    if (embedded < n + EARLY_ARTIFACTS.length) {
      faults.push(`the other model was asked when it had ${embedded} vectors`);
    }
    await publish(entrance, layer, LATE_ARTIFACT);
    faults.push(...(await findAbsent(urls, LATE_ARTIFACT)));
  });
}

async function findAbsent(urls: readonly string[], word: string): Promise<string[]> {
  const found = await Promise.all(
    urls.map(async (url) => {
      const byWords = await isFoundByWords(url, word);
      return { byWords, byMeaning: await waitForVectorHit(url, word) };
    }),
  );
  return found.flatMap(({ byWords, byMeaning }) => [
    ...(byWords ? [] : [`${word} was not found by words at once`]),
    ...(byMeaning === undefined ? [`${word} was not found by meaning`] : []),
  ]);
}

/** Returns the number of artifacts that were sent before the query. */
async function waitForQuery(url: string, provider: EmbeddingServer): Promise<number> {
  const began = performance.now();
  for (let tries = 0; performance.now() - began < TIMEOUT_MS; tries += 1) {
    const query = `which model are you, for the ${tries}th time`;
    await search(url, query);
    const at = provider.asked.findIndex(({ texts }) => texts.includes(query));
    if (at !== -1) {
      const texts = provider.asked.slice(0, at).flatMap((request) => request.texts);
      return new Set(texts.filter((text) => /What to do about case|is for/.test(text))).size;
    }
    await delay(50);
  }
  return 0;
}

/** Runs searches on every registry during an action; no response may be degraded. */
async function underSearches(
  urls: readonly string[],
  faults: string[],
  work: () => Promise<void>,
): Promise<Load> {
  const began = performance.now();
  const searchers = urls.map((url) =>
    startSearchers(url, SEARCHERS, (at) => `what to do about case ${at % 1000}`),
  );
  let searches: Search[] = [];
  try {
    await work();
  } finally {
    searches = (await Promise.all(searchers.map((each) => each.stop()))).flat();
  }
  faults.push(...searches.flatMap(faultOf));
  const times = searches.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    searches: searches.length,
    p99: times[Math.floor((times.length - 1) * 0.99)] ?? 0,
    took_ms: performance.now() - began,
  };
}

function faultOf({ query, answer }: Search): string[] {
  if (answer === undefined) return [`no answer to "${query}"`];
  if (answer.degraded === true) return [`"${query}" was answered by words alone`];
  return answer.results.length === 0 ? [`nothing was found for "${query}"`] : [];
}

function reembed(url: string, query: string) {
  const address = `${url}/v1/admin/reembed${query}`;
  return sendAndExpect(address, [200, reembedResult], { method: 'POST' });
}
