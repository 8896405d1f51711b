import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogCommand, plainEnvironment } from '../../../bench/program.ts';
import { hashTree, listEntries } from '../../../bench/tree.ts';

const FOREIGN: Readonly<Record<string, string>> = {
  'notes/todo.md': 'Mine.\n',
  '.harness-a/skills/own-skill/SKILL.md': '---\nname: own-skill\ndescription: Mine.\n---\nMine.\n',
  '.harness-a/rules/own-rule.md': 'Mine too.\n',
};

const SHARED: Readonly<Record<string, string>> = {
  '.harness-a/settings.json':
    '{\n\t// my own\n\t"model": "large",\n\t"hooks": { "Stop": [ { "hooks": [] } ] }\n}\n',
  '.mcp.json': '{"mcpServers": {"mine": {"command": "mine"}} /* kept */ }\n',
};

/** State that is specific to the machine: mutex, index and journal. */
const STATE = '.catalog/state/';

export function makeTarget(target: string): void {
  rmSync(target, { recursive: true, force: true });
  for (const [path, text] of Object.entries({ ...FOREIGN, ...SHARED })) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
}

/** Returns the installed tree with its folders and the user's files, without local state. */
export function deliveredTree(target: string): Map<string, string> {
  const tree = hashTree(target, (path) => !path.startsWith(STATE));
  for (const path of listEntries(target)) {
    if (path.endsWith('/') && !path.startsWith(STATE)) tree.set(path, 'folder');
  }
  return tree;
}

/** Returns the names in the state folder, which an interrupted sync may leave. */
export function stateNames(target: string): string[] {
  const names = [...hashTree(target, (path) => path.startsWith(STATE)).keys()];
  // Each save has its own folder.
  return names.map((path) => path.replace(/(\/saves)\/[^/]+/, '$1/<run>')).sort();
}

export function differences(
  found: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...found.keys(), ...wanted.keys()]);
  return [...paths].filter((path) => found.get(path) !== wanted.get(path)).sort();
}

export function stateHashes(target: string): Set<string> {
  return new Set(hashTree(target, (path) => path.startsWith(STATE)).values());
}

/**
 * Lists the damage of an interrupted sync to a tree. One file may be missing if the state folder
 * contains it: it was being replaced, and the next sync restores it (SPEC-90).
 */
export function tornOrTouched(
  found: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  aside: ReadonlySet<string>,
): string[] {
  const wrong: string[] = [];
  for (const [path, hash] of found) {
    if (hash !== before.get(path) && hash !== after.get(path))
      wrong.push(`${path} is neither old nor new`);
  }
  let replaced = 0;
  for (const [path, hash] of before) {
    if (!after.has(path) || found.has(path)) continue;
    replaced += 1;
    if (replaced > 1 || !aside.has(hash)) wrong.push(`${path} is gone`);
  }
  for (const path of Object.keys(FOREIGN)) {
    if (found.get(path) !== before.get(path))
      wrong.push(`${path} is not catalog's and was touched`);
  }
  return wrong;
}

export interface SyncRun {
  status: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  wall_ms: number;
}

export interface SyncOptions {
  folder: string;
  registry: string;
  target: string;
  nodeOptions?: readonly string[];
  env?: Record<string, string>;
  killAfterMs?: number;
}

export async function runSync(options: SyncOptions): Promise<SyncRun> {
  const { registry, target, folder, nodeOptions = [] } = options;
  const flags = ['--registry', registry, '--harness', 'harness-a', '--target', target, '--json'];
  const [node = '', ...words] = catalogCommand('sync', ...flags);
  const started = performance.now();
  const child = spawn(node, [...nodeOptions, ...words], {
    cwd: folder,
    env: { ...plainEnvironment(folder), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
  await once(child, 'close');
  clearTimeout(timer);
  return {
    status: child.exitCode,
    signal: child.signalCode,
    output,
    wall_ms: performance.now() - started,
  };
}

export async function runSyncToSuccess(options: SyncOptions): Promise<SyncRun> {
  const run = await runSync(options);
  if (run.status !== 0)
    throw new Error(`sync ended with ${run.status ?? run.signal}:\n${run.output}`);
  return run;
}
