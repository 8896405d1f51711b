import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderFault } from '@catalog/core/conformance/embedder/provider-fault';
import type { EmbeddingServer } from '@catalog/testkit/embedding-servers/open-embedding-server';
import {
  isFoundByWords,
  publish,
  waitForVectorHit,
  type SearchedLayer,
} from './published-artifacts.ts';
import { startSearchers, type Search } from './searchers.ts';

export interface Stage {
  url: string;
  layer: SearchedLayer;
  provider: EmbeddingServer;
  query_timeout_ms: number;
  ingest_ms: number;
}

export interface Trial {
  faults: string[];
  searches: number;
  /** Longest search and duration of the ingest, while the provider failed. */
  search_ms: number;
  ingest_ms: number;
  requests: number;
  recovery_ms: number;
}

const SEARCHERS = 3;
const FAULTY_MS = 4_000;
/** Maximum duration of a search in addition to the timeout for the provider, on a busy machine. */
const MAX_EXTRA_SEARCH_MS = 2_500;
/** Maximum duration of an ingest during the fault, relative to one without it. */
const MAX_INGEST_RATIO = 3;
const MAX_EXTRA_INGEST_MS = 2_500;
/** Five failures, the concurrent requests, and at most one attempt per second after that. */
const MAX_REQUESTS = 15;

/** Applies a fault to the provider during searches and a publication, then removes it. */
export async function playFault(
  { url, layer, provider, query_timeout_ms, ingest_ms: ordinary_ms }: Stage,
  number: number,
  fault: ProviderFault | { kind: 'down' },
): Promise<Trial> {
  const faults: string[] = [];
  const before = provider.asked.length;
  if (fault.kind === 'down') await provider.stop();
  else provider.fault = fault;
  const searchers = startSearchers(url, SEARCHERS, (at) => `what to do about case ${number}x${at}`);
  const until = delay(FAULTY_MS);
  const word = `novelty${number}`;
  const ingest_ms = await publish(url, layer, word);
  if (!(await isFoundByWords(url, word))) faults.push(`${word} was not found by words at once`);
  await until;
  const searches = await searchers.stop();
  const requests = provider.asked.length - before;
  provider.fault = { kind: 'well' };
  await provider.restart();
  const recovery_ms = await waitForVectorHit(url, word);
  faults.push(...searchFaults(searches, query_timeout_ms));
  if (ingest_ms > ordinary_ms * MAX_INGEST_RATIO + MAX_EXTRA_INGEST_MS) {
    faults.push(`the ingest took ${Math.round(ingest_ms)} ms`);
  }
  if (requests > MAX_REQUESTS) faults.push(`the provider was asked ${requests} times`);
  if (recovery_ms === undefined) faults.push(`${word} was not found by meaning afterwards`);
  return {
    faults,
    searches: searches.length,
    search_ms: Math.max(...searches.map(({ ms }) => ms)),
    ingest_ms,
    requests,
    recovery_ms: recovery_ms ?? Infinity,
  };
}

function searchFaults(searches: readonly Search[], query_timeout_ms: number): string[] {
  return searches.flatMap(({ query, ms, answer }) => {
    if (answer === undefined) return [`no answer to "${query}"`];
    if (answer.results.length === 0) return [`nothing was found for "${query}"`];
    if (answer.degraded !== true) return [`"${query}" was not said to be answered by words alone`];
    const isLate = ms > query_timeout_ms + MAX_EXTRA_SEARCH_MS;
    return isLate ? [`"${query}" was answered after ${Math.round(ms)} ms`] : [];
  });
}
