import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunContext } from './benchmark.ts';
import { writeCatalog } from './fixtures/catalog.ts';
import {
  startRegistryProcess,
  untilEmbedded,
  untilIngested,
  type RegistryProcess,
} from './registry-process.ts';

export async function fillStore<Result>(
  { n, seed, folder }: RunContext,
  home: string,
  measure: (server: RegistryProcess) => Result,
): Promise<Result> {
  mkdirSync(home);
  const registry = join(folder, 'registry');
  writeCatalog(registry, { n, seed });
  const server = await startRegistryProcess(home, { flags: ['--layer-path', registry] });
  try {
    await untilIngested(server.url);
    await untilEmbedded(server.url);
    return measure(server);
  } finally {
    await server.stop();
  }
}
