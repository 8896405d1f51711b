import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLock } from '@catalog/consumer/lock/read-lock';
import { writeCatalog } from '../../../bench/fixtures/catalog.ts';
import { catalogCommand, plainEnvironment } from '../../../bench/program.ts';
import { startRegistryProcess, untilIngested } from '../../../bench/registry-process.ts';
import { hashTree } from '../../../bench/tree.ts';

/** Artifacts that sync installs; agents load the others. */
const SYNCED = ['data/**', 'docs/**', 'infra/**'];

export interface Place {
  target: string;
  env: Record<string, string>;
  /** Ids that only agents install: one half is kept after loading, the other half is released. */
  lasting: string[];
  passing: string[];
  synced: string[];
  /** Content of each file after a sync of the whole catalog, by path. */
  whole: ReadonlyMap<string, string>;
  run: (...words: string[]) => Promise<{ status: number | null; output: string }>;
  stop: () => Promise<void>;
}

export async function openPlace(folder: string, n: number, seed: string): Promise<Place> {
  const [layer, home, person] = ['layer', 'registry', 'person'].map((name) => join(folder, name));
  if (layer === undefined || home === undefined || person === undefined) throw new RangeError();
  const [target, reference] = [join(folder, 'target'), join(folder, 'reference')];
  writeCatalog(layer, { n, seed });
  for (const path of [home, person, reference]) mkdirSync(path);
  const server = await startRegistryProcess(home, { flags: ['--layer-path', layer] });
  await untilIngested(server.url);
  const settings = { CATALOG_REGISTRY: server.url, CATALOG_HARNESS: 'harness-a' };
  const env = { ...plainEnvironment(person), ...settings, CATALOG_MCP_WRITE: 'all' };
  const runIn =
    (cwd: string) =>
    (...words: string[]) =>
      run(words, cwd, env);
  const { status, output } = await runIn(reference)('sync');
  if (status !== 0) throw new Error(output);
  mkdirSync(join(target, '.catalog'), { recursive: true });
  const include = SYNCED.map((glob) => `'${glob}'`).join(', ');
  const profile = `defaults: {profile: some}\nprofiles:\n  some: {include: [${include}]}\n`;
  writeFileSync(join(target, '.catalog/sync.yaml'), profile);
  const lock = loadLock(reference);
  // Excludes entries of shared files, which depend on the other entries.
  const merged = new Set(lock.entries.map(({ id }) => id));
  const ids = lock.artifacts.map(({ id }) => id).filter((id) => !merged.has(id));
  const isSynced = (id: string): boolean => SYNCED.some((glob) => id.startsWith(glob.slice(0, -2)));
  const others = ids.filter((id) => !isSynced(id));
  const paths = new Set(lock.files.map(({ path }) => path));
  return {
    target,
    env,
    synced: ids.filter(isSynced),
    lasting: others.filter((_, index) => index % 2 === 0),
    passing: others.filter((_, index) => index % 2 === 1),
    whole: hashTree(reference, (path) => paths.has(path)),
    run: runIn(target),
    stop: () => server.stop(),
  };
}

async function run(
  words: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ status: number | null; output: string }> {
  const [node = '', ...rest] = catalogCommand(...words);
  const child = spawn(node, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await once(child, 'close');
  return { status: child.exitCode, output };
}
