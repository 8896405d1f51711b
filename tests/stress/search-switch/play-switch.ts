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
  untilFoundByMeaning,
  writeCases,
  type SearchedLayer,
} from '../search-faults/news.ts';
import { search, startSearchers, type Search } from '../search-faults/searchers.ts';
import { askSurely } from '../serve-kill/client.ts';

type Variables = NonNullable<RegistryProcessOptions['env']>;

export interface SwitchStage {
  n: number;
  folder: string;
  env: Variables;
  provider: EmbeddingServer;
  other: Variables;
  /** Home folder of the second registry, if both run at the same time. */
  beside?: string;
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
/** Artifacts that are published before the other model has all vectors, and the one after. */
const NEWS = ['novelty', 'surprise', 'tidings'];
const LAST_NEWS = 'epilogue';
const PATIENCE_MS = 300_000;

export async function playSwitch(stage: SwitchStage): Promise<Switch> {
  const { n, folder, env, beside } = stage;
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
    if (beside === undefined) await first.stop();
    const start = () => startRegistryProcess(beside ?? folder, { env: { ...env, ...stage.other } });
    const model = await untilKilled(start, (second) =>
      switchModel(stage, beside === undefined ? [second] : [first, second], layer, faults),
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
    for (const word of NEWS) {
      await publish(entrance, layer, word);
      faults.push(...(await findAbsent(urls, word)));
    }
    const embedded = await untilAsked(last, provider);
    if (embedded < n + NEWS.length) {
      faults.push(`the other model was asked when it had ${embedded} vectors`);
    }
    await publish(entrance, layer, LAST_NEWS);
    faults.push(...(await findAbsent(urls, LAST_NEWS)));
  });
}

async function findAbsent(urls: readonly string[], word: string): Promise<string[]> {
  const found = await Promise.all(
    urls.map(async (url) => {
      const byWords = await isFoundByWords(url, word);
      return { byWords, byMeaning: await untilFoundByMeaning(url, word) };
    }),
  );
  return found.flatMap(({ byWords, byMeaning }) => [
    ...(byWords ? [] : [`${word} was not found by words at once`]),
    ...(byMeaning === undefined ? [`${word} was not found by meaning`] : []),
  ]);
}

/** Returns the number of artifacts that were sent before the query. */
async function untilAsked(url: string, provider: EmbeddingServer): Promise<number> {
  const began = performance.now();
  for (let tries = 0; performance.now() - began < PATIENCE_MS; tries += 1) {
    const query = `which model are you, for the ${tries}th time`;
    await search(url, query);
    const at = provider.asked.findIndex(({ texts }) => texts.includes(query));
    if (at !== -1) {
      const texts = provider.asked.slice(0, at).flatMap((asked) => asked.texts);
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
  return askSurely(address, [200, reembedResult], { method: 'POST' });
}
