import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { embeddingVariables } from '@catalog/testkit/embedding-servers/embedding-variables';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import {
  openEmbeddingServer,
  type EmbeddingServer,
} from '@catalog/testkit/embedding-servers/open-embedding-server';
import { summarizeLines, measurementOfFailures, resultOfParts } from '../../../bench/benchmark.ts';
import { withDatabase } from '../../../bench/with-database.ts';
import { singleRun } from '../single-run.ts';
import { playSwitch, type Switch } from './play-switch.ts';

const LATENCY_MS = 100;

export const searchSwitch = singleRun({
  name: 'search-switch',
  summary:
    'Recreates all vectors, then changes the model, under searches and ingests: in PostgreSQL with a second registry next to the first, in SQLite with a restart. No search may fail or fall back to words alone, and the new model must be used once it has all vectors.',
  servers: true,
  n: 5_000,
  small_n: 100,
  run: async ({ n, folder }) => {
    const sqlite = await withProvider((provider) =>
      playSwitch({ n, folder: makeFolder(folder, 'sqlite'), env: {}, ...other(provider) }),
    );
    const postgres = await withProvider((provider) =>
      withDatabase((env) =>
        playSwitch({
          n,
          folder: makeFolder(folder, 'postgres'),
          env,
          ...other(provider),
          second_home: makeFolder(folder, 'beside'),
        }),
      ),
    );
    return resultOfParts(
      'search-switch',
      [
        measurementOfFailures('search-switch-sqlite', n, sqlite.faults.length),
        measurementOfFailures('search-switch-postgres', n, postgres.faults.length),
      ],
      [
        `the first model is the built-in one; the other answers after ${LATENCY_MS} ms`,
        'in SQLite one registry ends before the next begins: the time between them is not counted',
        noteOf('sqlite', sqlite),
        noteOf('postgres', postgres),
      ],
    );
  },
});

async function withProvider<Result>(
  work: (provider: EmbeddingServer) => Promise<Result>,
): Promise<Result> {
  const provider = await openEmbeddingServer(ollamaApi);
  provider.fault = { kind: 'slow', ms: LATENCY_MS };
  try {
    return await work(provider);
  } finally {
    await provider.stop();
  }
}

function other(provider: EmbeddingServer) {
  return { provider, other: embeddingVariables(ollamaApi, provider) };
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

function noteOf(engine: string, { reembed, model, faults }: Switch): string {
  const text = ({ searches, p99, took_ms }: Switch['reembed']): string =>
    `${searches} searches in ${Math.round(took_ms)} ms, p99 ${Math.round(p99)} ms`;
  const wrong = faults.length === 0 ? '' : `; ${summarizeLines(faults)}`;
  return `${engine}: made anew: ${text(reembed)}; until the other model was asked: ${text(model)}${wrong}`;
}
