import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace } from './workspace.ts';

const ACME = `export default (kit) => ({
  id: 'acme',
  summary: 'the agent of Acme',
  revision: 1,
  detect: ['.acme'],
  skill: { folders: ['.acme/skills'] },
  agent: { refused: 'Acme has no agents' },
  command: { path: '.acme/commands/{name}.md' },
  rule: {
    into: 'block',
    path: 'ACME.md',
    modes: {
      always: 'native',
      glob: { fallback: 'it is loaded always' },
      auto: { fallback: 'it is loaded always' },
      explicit: { fallback: 'it is loaded always' },
    },
  },
  hook: { refused: 'Acme has no hooks' },
  mcp_server: { refused: 'Acme runs no servers' },
  fields: 'unsupported',
});
`;

describe('catalog harness show', () => {
  test('shows the destination of each type, and explains limited support', async () => {
    const workspace = openWorkspace();
    const { stdout } = await workspace.ok('harness show harness-d');
    for (const line of [
      '  skill       .harness-d/skills/{name}/\n',
      '  rule        .harness-d/rules/{name}.mdc\n',
      '  hook        an entry in .harness-d/hooks.json, under hooks\n',
      '  pre_shell_execution  beforeShellExecution\n',
      '    the harness has no event for these, so nothing is written\n',
      '  descriptions  no published limit\n',
    ]) {
      expect(stdout).toContain(line);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  test('lists the hook events of the home folder if the project supports none', async () => {
    const { stdout } = await openWorkspace().ok('harness show hermes');
    expect(stdout).toMatch(/Hook events in the home folder\n +session_start +on_session_start\n/);
    expect(stdout).not.toContain('Hook events\n');
    const other = await openWorkspace().ok('harness show claude-code');
    expect(other.stdout).not.toContain('Hook events in the home folder');
  });

  test('prints a document with every cell under --json', async () => {
    const { document } = await openWorkspace().json('harness show harness-e');
    expect(document).toMatchObject({
      id: 'harness-e',
      label: 'harness-e',
      project: { destinations: { rule: { into: 'block', path: 'AGENTS.md' } } },
      user: { destinations: { 'mcp-server': { path: '.config/harness-e/opencode.json' } } },
      mcp_config: { project: { path: 'opencode.json', container: ['mcp'] } },
      marketplace: { refused: expect.any(String) },
    });
    const { cells } = Object(document['project']);
    expect(cells).toHaveLength(34);
    expect(cells).toContainEqual({
      capability: 'rule_mode:glob',
      support: 'fallback',
      reason: expect.stringContaining('AGENTS.md'),
    });
  });

  verifies(
    ['MCPCFG-08', 'MCPCFG-09'],
    'shows for harness-c and harness-h that MCP servers are not supported',
    async () => {
      const workspace = openWorkspace();
      for (const [harness, way] of [
        ['harness-c', 'marketplace'],
        ['harness-h', 'catalog sync'],
      ] as const) {
        const { document } = await workspace.json(`harness show ${harness}`);
        expect(document['mcp_config']).toEqual({ refused: expect.stringContaining(way) });
      }
    },
  );

  test('shows a third-party adapter once it is trusted', async () => {
    const workspace = openWorkspace(
      {},
      { '.catalog/sync.yaml': 'adapters: [./acme.mjs]\n', 'acme.mjs': ACME },
    );
    const { error } = await workspace.error('harness show acme');
    expect(error.code).toBe('config.untrusted');
    const { stdout } = await workspace.ok('harness show acme --trust');
    expect(stdout).toContain('  rule        a block in ACME.md\n');
    expect(stdout).toContain('    Acme has no hooks\n');
  });

  test('suggests the right name for an unknown harness', async () => {
    const { code, error } = await openWorkspace().error('harness show harnes-a');
    expect([code, error.code]).toEqual([2, 'config.unknown_harness']);
    expect(error.message).toContain('Did you mean harness-a?');
  });
});

test('catalog harness list fits in 100 columns', async () => {
  const { stdout } = await openWorkspace().ok('harness list');
  const [head = '', ...rows] = stdout.split('\n');
  expect(head).toMatch(/^harness +skill +agent +command +rule +hook +mcp-server +context$/);
  expect(rows).toContainEqual(
    expect.stringMatching(/^harness-d +yes +yes +yes +yes +6 of 20 +yes +yes$/),
  );
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});
