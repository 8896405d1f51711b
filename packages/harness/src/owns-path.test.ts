import { describe, expect, test } from 'vitest';
import { defineHarness } from './define-harness.ts';
import { registerMcp } from './mcp-registration.ts';
import { ownsPath, type ClaimedTarget, type WrittenClaim } from './owns-path.ts';
import { adapters } from './registry.ts';

const HARNESSES = [...adapters.keys()];
const ID = 'ops/check';

function inWorkspace(harness: string): ClaimedTarget {
  return { harness, marketplace: false };
}

const HOSTILE = [
  '.git/HEAD',
  '.git/hooks/post-checkout',
  'package.json',
  'src/index.ts',
  '.github/workflows/x.yml',
  '.github/workflows/check.yml',
  '.ssh/config',
  '../.ssh/config',
  '.bashrc',
  '.profile',
  'README.md',
  'check',
  'check.md',
  'ops',
  'ops/check',
  'ops/other/SKILL.md',
  'ops/checker/SKILL.md',
  '.claude/skills/other/SKILL.md',
  '.claude/skills/checker/SKILL.md',
  '.claude/skills/SKILL.md',
  '.claude/agents/other.md',
  '.claude/settings.local.json',
  '.catalog/sync.yaml',
  '.catalog/sync.lock',
  '.catalog/overlay/ops/check/ARTIFACT.md',
  '.catalog/context/other/ARTIFACT.md',
  '.catalog/context/ops/checker/ARTIFACT.md',
  '.catalog/hooks/other.mjs',
  '.vscode/tasks.json',
  '.husky/pre-commit',
  'Makefile',
];

const SHARED = [
  '.mcp.json',
  '.claude.json',
  '.claude/settings.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  'opencode.json',
  'AGENTS.md',
  'CLAUDE.md',
  '.vscode/mcp.json',
];

describe.each(HARNESSES)('ownsPath for %s', (harness) => {
  test.each(HOSTILE)('does not own %s', (path) => {
    const entries = [
      { shape: 'block', container: [], key: ID },
      { shape: 'map', container: ['mcpServers'], key: 'check' },
      { shape: 'array', container: ['hooks', 'Stop'], key: ID },
    ] as const;
    expect(ownsPath({ path, id: ID }, inWorkspace(harness))).toBe('not-owned');
    for (const entry of entries) {
      expect(ownsPath({ path, id: ID, entry }, inWorkspace(harness))).toBe('not-owned');
    }
  });

  test.each(SHARED)('does not own %s as a whole', (path) => {
    expect(ownsPath({ path, id: ID }, inWorkspace(harness))).toBe('not-owned');
  });

  test.each(['', '.', '..', '/', '.git', '.github/workflows', '../x', 'a//b', 'a\0b', 'plugin:x'])(
    'owns nothing for the id %j',
    (id) => {
      for (const path of [...HOSTILE, ...SHARED, `${id}/x`, '.claude/skills//SKILL.md', id]) {
        expect(ownsPath({ path, id }, inWorkspace(harness)), path).toBe('not-owned');
      }
    },
  );

  test('owns the entry that `catalog mcp config` writes', () => {
    const adapter = adapters.get(harness);
    if (adapter === undefined || 'refused' in adapter.mcp_config) return;
    const { project, user } = adapter.mcp_config;
    for (const system of ['linux', 'darwin', 'win32'] as const) {
      for (const scope of ['project', 'user'] as const) {
        if ((scope === 'project' ? project : user) === undefined) continue;
        const { path, entry } = registerMcp(adapter, { registry: undefined, scope, system });
        const claim = { path, id: entry.artifact_id, entry };
        expect(ownsPath(claim, inWorkspace(harness)), path).toBe('owned');
      }
    }
  });
});

describe('ownsPath', () => {
  test.each<[string, WrittenClaim]>([
    ['none', { path: 'ops/check/scripts/run.sh', id: ID }],
    ['claude-code', { path: '.claude/skills/check/SKILL.md', id: ID }],
    ['claude-code', { path: '.claude/skills/ops-check/scripts/deep/run.sh', id: ID }],
    ['claude-code', { path: '.claude/rules/context-check.md', id: ID }],
    ['claude-code', { path: '.claude/rules/ops-context-check.md', id: ID }],
    ['claude-code', { path: '.claude/catalog/ops/check/data.csv', id: ID }],
    ['claude-code', { path: '.catalog/hooks/claude-code.mjs', id: ID }],
    ['claude-code', { path: '.catalog/resources/ops/check/run.sh', id: ID }],
    ['cline', { path: '.clinerules/hooks/PreToolUse', id: ID }],
    ['cline', { path: '.catalog/hooks/cline/ops/check.json', id: ID }],
  ])('%s owns %j', (harness, claim) => {
    expect(ownsPath(claim, inWorkspace(harness))).toBe('owned');
  });

  test('compares the place of an entry', () => {
    const path = '.claude/settings.json';
    const owns = (entry: NonNullable<WrittenClaim['entry']>): string =>
      ownsPath({ path, id: ID, entry }, inWorkspace('claude-code'));
    expect(owns({ shape: 'array', container: ['hooks', 'Stop'], key: ID })).toBe('owned');
    expect(owns({ shape: 'array', container: ['hooks', 'Stop'], key: 'other' })).toBe('not-owned');
    expect(owns({ shape: 'map', container: [], key: 'permissions' })).toBe('not-owned');
    expect(owns({ shape: 'map', container: [], key: 'hooks' })).toBe('not-owned');
    expect(owns({ shape: 'array', container: ['hooks'], key: ID })).toBe('not-owned');
    expect(owns({ shape: 'array', container: ['permissions', 'allow'], key: ID })).toBe(
      'not-owned',
    );
  });

  test('does not expand templates in an id', () => {
    const id = '{any}/{any}';
    expect(ownsPath({ path: 'src/index/x.ts', id }, inWorkspace('none'))).toBe('not-owned');
    expect(ownsPath({ path: '{any}/{any}/SKILL.md', id }, inWorkspace('none'))).toBe('owned');
  });

  test('returns unknown if the adapter is not installed', () => {
    const claim = { path: '.claude/skills/check/SKILL.md', id: ID };
    expect(ownsPath(claim, inWorkspace('other'))).toBe('unknown');
    expect(ownsPath(claim, { harness: 'claude-code,other', marketplace: true })).toBe('unknown');
  });

  test('uses the declaration of a third-party adapter', () => {
    const refused = { refused: 'Acme has none of these' };
    const acme = defineHarness({
      id: 'acme',
      summary: 'the agent of Acme',
      revision: 1,
      detect: [],
      skill: { folders: ['.acme/skills'] },
      agent: refused,
      command: { path: '.acme/commands/{name}.md', bundled: '.acme/files/{id}' },
      rule: refused,
      hook: refused,
      mcp_server: refused,
      fields: 'native',
      former: [{ into: 'file', path: '.acme/{name}.txt' }],
      user: { skill: { folders: ['.config/acme/skills'] } },
    });
    const known = new Map([['acme', acme]]);
    const owned = [
      '.acme/skills/check/SKILL.md',
      '.config/acme/skills/check/SKILL.md',
      '.acme/commands/check.md',
      '.acme/files/ops/check/x',
      '.acme/check.txt',
    ].map((path) => ownsPath({ path, id: ID }, inWorkspace('acme'), known));
    expect(owned).toEqual(Array.from(owned, () => 'owned'));
    const other = { path: '.acme/agents/check.md', id: ID };
    expect(ownsPath(other, inWorkspace('acme'), known)).toBe('not-owned');
  });

  test('distinguishes documents of a marketplace from files of artifacts', () => {
    const market = { harness: 'pi', marketplace: true };
    expect(ownsPath({ path: 'package.json', id: 'marketplace:m' }, market)).toBe('owned');
    expect(ownsPath({ path: 'package.json', id: ID }, market)).toBe('not-owned');
    expect(ownsPath({ path: 'src/index.ts', id: 'marketplace:m' }, market)).toBe('not-owned');
    expect(ownsPath({ path: 'skills/check/SKILL.md', id: ID }, market)).toBe('owned');
    expect(ownsPath({ path: 'package.json', id: 'marketplace:m' }, inWorkspace('pi'))).toBe(
      'not-owned',
    );
  });
});
