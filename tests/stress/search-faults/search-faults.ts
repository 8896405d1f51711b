import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  openEmbeddingServer,
  type EmbeddingServer,
} from '@catalog/testkit/embedding-servers/open-embedding-server';
import { embeddingVariables } from '@catalog/testkit/embedding-servers/embedding-variables';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import type { ProviderFault } from '@catalog/core/conformance/embedder/provider-fault';
import {
  summarizeLines,
  measurementOfFailures,
  median,
  type RunResult,
} from '../../../bench/benchmark.ts';
import { startRegistryProcess, untilKilled } from '../../../bench/registry-process.ts';
import { singleRun } from '../single-run.ts';
import { publish, register, writeCases } from './published-artifacts.ts';
import { playFault, type Trial } from './trial.ts';

const ARTIFACTS = 200;
const QUERY_TIMEOUT_MS = 300;
const ORDINARY_INGESTS = 5;

export const searchFaults = singleRun({
  name: 'search-faults',
  summary:
    'Runs searches and ingests with an embedding provider that is down, hangs, is slow or busy, or returns wrong or malformed vectors. Every search must return in time with results by words and report it, ingests must not take longer, the registry must stop calling the provider, and every artifact must have its embedding afterwards.',
  alone: true,
  n: 3,
  small_n: 1,
  run: async ({ n, folder }) => {
    const provider = await openEmbeddingServer(ollamaApi);
    try {
      return toResult(n, await playRounds(n, folder, provider));
    } finally {
      await provider.stop();
    }
  },
});

type Played = Trial & { name: string };

async function playRounds(n: number, folder: string, provider: EmbeddingServer): Promise<Played[]> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const layer = { id: 'base', folder: join(folder, 'source') };
  writeCases(layer, ARTIFACTS);
  const env = {
    ...embeddingVariables(ollamaApi, provider),
    CATALOG_EMBEDDING_QUERY_TIMEOUT_MS: String(QUERY_TIMEOUT_MS),
    CATALOG_EMBEDDING_TIMEOUT_SECONDS: '1',
  };
  return untilKilled(
    () => startRegistryProcess(home, { env }),
    async ({ url }) => {
      await register(url, layer);
      const ordinary: number[] = [];
      for (let at = 0; at < ORDINARY_INGESTS; at += 1) {
        ordinary.push(await publish(url, layer, `ordinary${at}`));
      }
      const ingest_ms = median(ordinary);
      const stage = { url, layer, provider, query_timeout_ms: QUERY_TIMEOUT_MS, ingest_ms };
      const played: Played[] = [];
      for (let round = 0; round < n; round += 1) {
        for (const [name, fault] of Object.entries(FAULTS)) {
          played.push({ name, ...(await playFault(stage, played.length, fault)) });
        }
      }
      return played;
    },
  );
}

function toResult(n: number, played: readonly Played[]): RunResult {
  const failures = played.flatMap(({ name, faults }) =>
    faults.length === 0 ? [] : [`${name}: ${summarizeLines(faults)}`],
  );
  const byFault = Map.groupBy(played, ({ name }) => name);
  const longest = (trials: readonly Trial[], of: (trial: Trial) => number): number =>
    Math.round(Math.max(...trials.map(of)));
  return {
    ...measurementOfFailures('search-faults', n, failures.length),
    notes: [
      `${n} times each, ${ARTIFACTS} artifacts; searches wait up to ${QUERY_TIMEOUT_MS} ms for the provider`,
      'maximum: search time, ingest time, requests to the provider, and time until every artifact had its embedding again:',
      ...[...byFault].map(
        ([name, trials]) =>
          `${name}: ${trials.reduce((sum, { searches }) => sum + searches, 0)} searches, ` +
          `${longest(trials, ({ search_ms }) => search_ms)} ms; ` +
          `${longest(trials, ({ ingest_ms }) => ingest_ms)} ms; ` +
          `${longest(trials, ({ requests }) => requests)}; ` +
          `${longest(trials, ({ recovery_ms }) => recovery_ms)} ms`,
      ),
      ...failures,
    ],
  };
}

const FAULTS: Readonly<Record<string, ProviderFault | { kind: 'down' }>> = {
  down: { kind: 'down' },
  hanging: { kind: 'hanging' },
  slow: { kind: 'slow', ms: 700 },
  busy: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  'busy without end': { kind: 'status', status: 429 },
  broken: { kind: 'status', status: 500 },
  'wrong dimension': { kind: 'wrong_dimension' },
  'not a number': { kind: 'not_a_number' },
  truncated: { kind: 'truncated' },
  cut: { kind: 'cut' },
  huge: { kind: 'huge' },
};
