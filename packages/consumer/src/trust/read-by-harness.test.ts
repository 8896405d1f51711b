import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { effectiveView } from '@catalog/core/view/effective-view';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { marketplaceOwner } from '@catalog/harness/marketplace/render-marketplace';
import { planArtifacts } from '@catalog/harness/plan';
import { adapters, harnessCapabilities } from '@catalog/harness/registry';
import { loadFixture } from '@catalog/testkit/fixture';
import { renderFixtureMarketplace } from '@catalog/testkit/marketplace-fixture';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openReadFiles, type FindReadFile, type RenderedFile } from './read-by-harness.ts';

const snapshots = loadFixture('everything');
const decided = decideSnapshots(snapshots, { capabilities: harnessCapabilities() });
const view = effectiveView(
  decided.artifacts,
  snapshots.map(({ layer }) => layer),
);

let root = '';
let workspace = '';
let home = '';
let find: FindReadFile;

beforeEach(() => {
  root = temporaryFolder();
  workspace = `${root}/work`;
  home = `${root}/home`;
  mkdirSync(workspace);
  mkdirSync(home);
  reopen();
});

function reopen(): void {
  find = openReadFiles({ workspace, home }, adapters);
}

function isRead(directory: string, paths: readonly (string | RenderedFile)[]): boolean {
  const files = paths.map((path) => (typeof path === 'string' ? { path, is_list: false } : path));
  return find(directory, files) !== undefined;
}

interface Landing {
  name: string;
  scope: 'workspace' | 'home';
  paths: string[];
}

function listLandings(): Landing[] {
  return [...adapters].flatMap(([id, adapter]) => {
    const scopes: [string, Landing['scope'], HarnessAdapter | undefined][] = [
      [id, 'workspace', adapter],
      [`${id} of a user`, 'home', adapter.user ?? adapter],
      [`${id} of a user on macOS`, 'home', adapter.user_on?.darwin],
      [`${id} of a user on Windows`, 'home', adapter.user_on?.win32],
    ];
    return scopes.flatMap(([name, scope, variant]) => {
      if (variant === undefined || id === 'none') return [];
      const { files, entries } = planArtifacts(view, variant, { on_clash: 'qualify' });
      const written = [...files, ...entries].map(({ path }) => path);
      const skills = variant.skill_folders.map((folder) => `${folder}/x/SKILL.md`);
      const paths = [...written, ...skills].filter((path) => !path.startsWith('.catalog/'));
      return paths.length === 0 ? [] : [{ name, scope, paths: [...new Set(paths)] }];
    });
  });
}

const LANDINGS = listLandings();

test('listLandings covers every adapter that writes files', () => {
  const writing = [...adapters.values()].filter(
    ({ id, destinations }) => id !== 'none' && Object.keys(destinations).length > 1,
  );
  const checked = new Set(LANDINGS.map(({ name }) => name));
  expect(writing.filter(({ id }) => !checked.has(id)).map(({ id }) => id)).toEqual([]);
  expect(LANDINGS.length).toBeGreaterThan(50);
});

describe.each(LANDINGS)('openReadFiles: $name reads a marketplace', ({ scope, paths }) => {
  const base = (): string => (scope === 'home' ? home : workspace);
  const folders = [...new Set(paths.map((path) => dirname(path)).filter((path) => path !== '.'))];

  test('that is in a folder that the harness reads, or below one', () => {
    for (const folder of folders) {
      expect(isRead(`${base()}/${folder}`, ['skills/x/SKILL.md']), folder).toBe(true);
      expect(isRead(`${base()}/${folder}/deep/market`, ['package.json']), folder).toBe(true);
      expect(isRead(`${workspace}/sub/project/${folder}`, ['package.json']), folder).toBe(true);
    }
  });

  test('that is in a parent folder and contains files that the harness reads', () => {
    for (const path of paths) {
      expect(isRead(base(), ['README.md', path]), path).toBe(true);
      const parts = path.split('/');
      for (const [index] of parts.slice(1).entries()) {
        const above = parts.slice(0, index + 1).join('/');
        const below = parts.slice(index + 1).join('/');
        expect(isRead(`${base()}/${above}`, [below]), path).toBe(true);
      }
    }
  });
});

const FORMATS = [...adapters.keys(), 'agent-plugins'].filter(
  (harness) => renderFixtureMarketplace([harness]).plan.files.length > 0,
);

test.each(FORMATS)('no harness reads a marketplace for %s in a separate folder', (harness) => {
  const files = renderFixtureMarketplace([harness]).plan.files.map(({ path, artifact_id }) => ({
    path,
    is_list: artifact_id === marketplaceOwner('fixture'),
  }));
  for (const folder of ['dist', 'out/market', 'packages/a/dist']) {
    expect(isRead(`${workspace}/${folder}`, files)).toBe(false);
  }
  expect(isRead(`${root}/market`, files)).toBe(false);
  expect(isRead(`${home}/market`, files)).toBe(false);
});

describe('spelling of a path', () => {
  const FILE = ['skills/x/SKILL.md'];

  test.each([
    '.claude',
    '.Claude',
    '.CLAUDE/x',
    '.claude.',
    '.claude /x',
    '.cl\u200caude',
    '.claude::$INDEX_ALLOCATION',
    'x/../.claude',
    './.claude/',
    '.curſor',
    'LIBRARY/Application Support/claude',
  ])('%s matches the folder of a harness', (folder) => {
    expect(isRead(`${workspace}/${folder}`, FILE)).toBe(true);
  });

  test.each(['.claude-plugins', 'claude', '.claudex', 'x.claude', '.config', '.config/x'])(
    '%s does not match the folder of a harness',
    (folder) => {
      expect(isRead(`${workspace}/${folder}`, FILE)).toBe(false);
    },
  );

  test('applies to rendered files as well', () => {
    expect(isRead(workspace, ['.Claude/skills/x/SKILL.md'])).toBe(true);
    expect(isRead(workspace, ['gemini.MD'])).toBe(true);
    expect(isRead(workspace, ['claude/.claude/skills/x/SKILL.md'])).toBe(true);
    expect(isRead(`${workspace}/dist`, ['GEMINI.md', 'claude/p/.mcp.json'])).toBe(false);
  });

  test('ignores the path of the workspace, which may be inside the folder of a harness', () => {
    workspace = `${root}/.claude/worktrees/one`;
    mkdirSync(workspace, { recursive: true });
    reopen();
    expect(isRead(`${workspace}/dist`, FILE)).toBe(false);
    expect(isRead(`${workspace}/.claude`, FILE)).toBe(true);
  });
});

describe('links to or from a harness folder', () => {
  const FILE = ['skills/x/SKILL.md'];

  test.each<[string, path: string, to: string, market: string]>([
    ['at the target', 'market', '.claude', 'market'],
    ['above the target', 'out', '.claude', 'out/market'],
    ['from the folder of a harness', '.claude', 'market', 'market'],
    ['from a file of a harness', 'AGENTS.md', 'market/skills/x/SKILL.md', 'market'],
  ])('%s is found, even if its target does not exist yet', (_name, path, to, market) => {
    symlinkSync(to, `${workspace}/${path}`);
    reopen();
    expect(isRead(`${workspace}/${market}`, FILE)).toBe(true);
    mkdirSync(`${workspace}/${to}`, { recursive: true });
    reopen();
    expect(isRead(`${workspace}/${market}`, FILE)).toBe(true);
  });

  test('is found between the workspace and the home folder', () => {
    symlinkSync(`${home}/.codex`, `${workspace}/market`);
    expect(isRead(`${workspace}/market`, FILE)).toBe(true);
    symlinkSync(`${workspace}/dist`, `${home}/.gemini`);
    reopen();
    expect(isRead(`${workspace}/dist`, FILE)).toBe(true);
  });

  test('circular links are not found and do not hang', () => {
    symlinkSync('b', `${workspace}/a`);
    symlinkSync('a', `${workspace}/b`);
    expect(isRead(`${workspace}/a/x`, FILE)).toBe(false);
  });
});

test('the list of plugins is found only at the path where a harness reads it', () => {
  const list = { path: '.agents/plugins/marketplace.json', is_list: true };
  expect(isRead(workspace, [list])).toBe(true);
  expect(isRead(home, [list])).toBe(true);
  expect(isRead(`${workspace}/dist`, [list])).toBe(false);
  expect(isRead(`${workspace}/dist`, [{ ...list, is_list: false }])).toBe(true);
});
