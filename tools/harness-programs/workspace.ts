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
export const CATALOG_MCP: readonly string[] = [...FROM_SOURCE, MCP];

/** The caller of the sealed process removes the parent folder at the end. */
export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `${name}-`));
}

export async function makeWorkspace(
  fixture: Fixture,
  profiles: readonly string[],
): Promise<string> {
  const workspace = newFolder('workspace');
  await sync(workspace, newFolder('home'), fixture, profiles.join(','));
  return workspace;
}

/** For a product that keeps most files in the home folder. */
export async function makeWorkspaceWithHome(fixture: Fixture, profile: string): Promise<string> {
  const both = newFolder('workspace');
  const [project, home] = [join(both, 'project'), join(both, 'home')];
  mkdirSync(home);
  await sync(project, home, fixture, profile);
  await sync(home, home, fixture, profile, '--scope', 'user', '--yes');
  return both;
}

/** Returns the report as JSON text. */
export async function sync(
  workspace: string,
  home: string,
  fixture: Pick<Fixture, 'registry' | 'file'>,
  harness: string,
  ...more: string[]
): Promise<string> {
  writeText(join(workspace, fixture.file), 'text\n');
  // Marks the root of the repository: some programs search parent folders up to it.
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

/** `catalog-mcp` lists its tools without a registry. */
const NO_REGISTRY = 'http://127.0.0.1:9';

/** Creates a workspace with the entry that `catalog mcp config --write` adds. */
export async function createWorkspaceWithMcpEntry(profile: string): Promise<string> {
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

export function breakCatalogEntry(workspace: string, profile: string): void {
  const { path } = registerMcp(loadAdapter(profile, 'workspace'), {
    registry: NO_REGISTRY,
    scope: 'project',
    system: 'linux',
  });
  editText(join(workspace, path), (text) => text.replace('catalog-mcp', 'catalog-gone'));
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function writeProgram(path: string, text: string): void {
  writeText(path, text);
  chmodSync(path, 0o755);
}

/** Throws if the content stays the same, because the edit is then wrong. */
export function editText(path: string, edit: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`${path} is as before: the fixture is not broken`);
  writeFileSync(path, after);
}
