import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { registerMcp } from '@catalog/harness/mcp-registration';
import { loadAdapter } from '@catalog/harness/registry';
import type { Fixture } from './fixtures.ts';
import { runSealed } from './run-sealed.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/bin.ts');
const MCP = join(import.meta.dirname, '../../packages/mcp/src/bin.ts');
const FROM_SOURCE = [process.execPath, '--conditions=@catalog/source'];
const CATALOG = [...FROM_SOURCE, CLI];
/** What starts catalog's own MCP server. */
export const CATALOG_MCP: readonly string[] = [...FROM_SOURCE, MCP];

/** A folder of its own below the system's temporary one; the run's end takes them all. */
export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `${name}-`));
}

/** What `catalog sync` writes for these profiles together, and the file that rules are for. */
export async function makeWorkspace(
  fixture: Fixture,
  profiles: readonly string[],
): Promise<string> {
  const workspace = newFolder('workspace');
  await sync(workspace, newFolder('home'), fixture, profiles.join(','));
  return workspace;
}

/** For a product that keeps most in the home folder: `project` and `home` side by side, both written. */
export async function makeWorkspaceWithHome(fixture: Fixture, profile: string): Promise<string> {
  const both = newFolder('workspace');
  const [project, home] = [join(both, 'project'), join(both, 'home')];
  mkdirSync(home);
  await sync(project, home, fixture, profile);
  await sync(home, home, fixture, profile, '--scope', 'user', '--yes');
  return both;
}

/** Runs `catalog sync` and returns its report as JSON text. */
export async function sync(
  workspace: string,
  home: string,
  fixture: Pick<Fixture, 'registry' | 'file'>,
  harness: string,
  ...more: string[]
): Promise<string> {
  writeText(join(workspace, fixture.file), 'text\n');
  // The edge of a repository: some programs look for their folders up to here.
  mkdirSync(join(workspace, '.git'), { recursive: true });
  const words = ['sync', '--registry', fixture.registry, '--harness', harness, ...more];
  const { code, stdout, stderr } = await runSealed({
    words: [...CATALOG, ...words, '--skip-unsupported', '--json'],
    cwd: workspace,
    home,
  });
  if (code === 0) return stdout;
  throw new Error(`catalog ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
}

/** What `catalog sync --config` renders for these harnesses: the fixture as one plugin. */
export async function makeMarketplace(
  fixture: Fixture,
  harnesses: readonly string[],
): Promise<string> {
  const folder = newFolder('marketplace');
  writeText(
    join(folder, '.catalog/sync.yaml'),
    `defaults: {registry: ${fixture.registry}, unsupported: skip}
targets:
  - id: demo-market
    kind: marketplace
    target: ./demo-market
    description: One of everything.
    harness: [${harnesses.join(', ')}]
    plugins:
      - {name: demo, description: One of everything., include: ["**"]}
`,
  );
  const { code, stdout, stderr } = await runSealed({
    words: [...CATALOG, 'sync', '--config', '--trust', '--json'],
    cwd: folder,
    home: newFolder('home'),
  });
  if (code === 0) return join(folder, 'demo-market');
  throw new Error(`catalog sync --config ended with ${code}: ${stderr}${stdout}`);
}

/** A port nobody listens on: a server says what tools it has without its registry. */
const NO_REGISTRY = 'http://127.0.0.1:9';

/** What `catalog mcp config --write` leaves in an empty project. */
export async function makeWithCatalogEntry(profile: string): Promise<string> {
  const workspace = newFolder('workspace');
  mkdirSync(join(workspace, '.git'));
  const words = ['mcp', 'config', profile, '--write', '--registry', NO_REGISTRY];
  const { code, stdout, stderr } = await runSealed({
    words: [...CATALOG, ...words, '--json'],
    cwd: workspace,
    home: newFolder('home'),
  });
  if (code === 0) return workspace;
  throw new Error(`catalog ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
}

/** Has the entry start a program that is not there. */
export function breakCatalogEntry(workspace: string, profile: string): void {
  const { path } = registerMcp(loadAdapter(profile, 'workspace'), {
    registry: NO_REGISTRY,
    scope: 'project',
    system: 'linux',
  });
  editText(join(workspace, path), (text) => text.replace('catalog-mcp', 'catalog-gone'));
}

/** Writes a file and the folders on the way. */
export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function writeProgram(path: string, text: string): void {
  writeText(path, text);
  chmodSync(path, 0o755);
}

/** Changes a file in place; a change that changes nothing is a mistake of the caller. */
export function editText(path: string, edit: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`${path} is as before: the fixture is not broken`);
  writeFileSync(path, after);
}
