import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeCatalog, type WrittenCatalog } from './fixtures/catalog.ts';
import { measureSuccess, type CommandRun } from './measure-command.ts';
import { catalogCommand, plainEnvironment } from './program.ts';
import { startRegistryProcess, untilEmbedded, untilIngested } from './registry-process.ts';

export interface ServedBench {
  url: string;
  target: string;
  catalogue: WrittenCatalog;
  sync: () => CommandRun;
  forget: () => void;
  stop: () => Promise<void>;
}

export async function openServedBench(
  folder: string,
  options: { n: number; seed: string },
): Promise<ServedBench> {
  const registry = join(folder, 'registry');
  const catalog = writeCatalog(registry, options);
  const [home, person] = [join(folder, 'registry-home'), join(folder, 'person')];
  const target = join(folder, 'target');
  for (const path of [home, person]) mkdirSync(path);
  const server = await startRegistryProcess(home, { flags: ['--layer-path', registry] });
  await untilIngested(server.url);
  await untilEmbedded(server.url);
  const env = plainEnvironment(person);
  const flags = ['--registry', server.url, '--harness', 'harness-a', '--target', target];
  const command = catalogCommand('sync', ...flags);
  return {
    url: server.url,
    target,
    catalogue: catalog,
    sync: () => measureSuccess(command, { env, cwd: folder }),
    forget: () => {
      for (const path of [target, join(person, '.catalog')]) {
        rmSync(path, { recursive: true, force: true });
      }
      mkdirSync(target);
    },
    stop: () => server.stop(),
  };
}
