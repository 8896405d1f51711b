import { join } from 'node:path';
import { writeCatalog, type WrittenCatalog } from './fixtures/catalog.ts';
import { measureSuccess, type CommandRun } from './measure-command.ts';
import { catalogCommand, plainEnvironment } from './program.ts';

export interface SyncBench {
  registry: string;
  target: string;
  catalog: WrittenCatalog;
  env: Record<string, string>;
  sync: () => CommandRun;
}

export function openSyncBench(folder: string, options: { n: number; seed: string }): SyncBench {
  const registry = join(folder, 'registry');
  const target = join(folder, 'target');
  const flags = ['--registry', registry, '--harness', 'harness-a', '--target', target];
  const command = catalogCommand('sync', ...flags);
  const env = plainEnvironment(folder);
  return {
    registry,
    target,
    catalog: writeCatalog(registry, options),
    env,
    sync: () => measureSuccess(command, { env, cwd: folder }),
  };
}
