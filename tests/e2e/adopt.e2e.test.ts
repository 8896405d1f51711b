import { existsSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace } from './workspace.ts';

const SECRETS = ['hunter2', 'lin_api_4ZkQ9wErTyUiOpAsDfGhJkL', 's3cr3tpass', 'abc-key-1'];

const FILES: FileTree = {
  '.claude/skills/review/SKILL.md':
    '---\nname: review\ndescription: Use it before a change is merged.\n---\n\nReview.\n',
  '.claude/skills/bad/SKILL.md': '---\nname: [bad\ndescription: x\n---\nBad.\n',
  '.claude/agents/tester.md':
    '---\nname: tester\ndescription: Writes tests for what changed.\ntools: Read, Bash\n---\nTest.\n',
  '.claude/rules/latin.md': new Uint8Array([0x63, 0xe9]),
  '.claude/settings.json': `{
  // mine
  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
    {"type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh"}]}]}
}\n`,
  '.claude/hooks/guard.sh': { x: '#!/bin/sh\nexit 2\n' },
  '.mcp.json': JSON.stringify({
    mcpServers: {
      db: {
        command: 'db-mcp',
        args: ['--api-key', 'abc-key-1'],
        env: { PASSWORD: 'hunter2', URL: 'postgres://me:s3cr3tpass@db/x' },
      },
      linear: {
        type: 'http',
        url: 'https://linear.example/mcp',
        headers: { Authorization: 'Bearer lin_api_4ZkQ9wErTyUiOpAsDfGhJkL' },
      },
    },
  }),
  '.cursor/skills/review/SKILL.md':
    '---\nname: review\ndescription: Use it before a change is merged.\n---\n\nReview.\n',
  '.cursor/rules/types.mdc': '---\nglobs: src/**\nalwaysApply: false\n---\nStrict.\n',
  '.codex/config.toml': '[mcp_servers.files]\ncommand = "files-mcp"\n',
  'AGENTS.md': 'Run `npm test`; see [the docs](docs/a.md).\n',
};

describe('catalog adopt', () => {
  test('converts a plugin, lists skipped parts, and executes nothing', async () => {
    const workspace = openWorkspace(
      {},
      {
        'acme/.claude-plugin/plugin.json': JSON.stringify({
          name: 'acme',
          version: '2.0.0',
          commands: '../outside',
          lspServers: {},
        }),
        'acme/skills/review/SKILL.md':
          '---\nname: review\ndescription: Use it before a change is merged.\n---\n\nReview.\n',
        'acme/hooks/hooks.json': JSON.stringify({
          hooks: {
            SessionStart: [
              { hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/start.sh' }] },
            ],
          },
        }),
        'acme/start.sh': { x: '#!/bin/sh\ntouch ran\n' },
      },
    );
    const { stdout } = await workspace.ok(`adopt --plugin acme --into ${workspace.registry}`);
    expect(stdout).toMatch(/^skill +review +claude-code +1 +acme\/skills\/review$/m);
    expect(stdout).toMatch(/^hook +session-start-start .* acme\/hooks\/session-start-start$/m);
    expect(stdout).toContain(
      '  lspServers (.claude-plugin/plugin.json): no matching artifact type',
    );
    expect(stdout).toContain(
      '.claude-plugin/plugin.json#commands is not accepted: the path "../outside" ',
    );
    const adoptedTree = readTree(workspace.registry);
    expect(adoptedTree['acme/skills/review/ARTIFACT.md']).toContain(
      'imported_from: Claude Code plugin acme 2.0.0\n',
    );
    expect(Object.keys({ ...adoptedTree, ...readTree(workspace.root) })).not.toContain('ran');
    const { stderr } = await workspace.run(`adopt --plugin . --into ${workspace.registry}`);
    expect(stderr).toContain('. has none of .claude-plugin/plugin.json, ');
  });

  test('shows one table, and only writes artifacts to the registry', async () => {
    const workspace = openWorkspace({}, FILES);
    symlinkSync('/etc', join(workspace.root, '.claude/skills/away'));
    const before = readTree(workspace.root);
    const { stdout } = await workspace.ok(`adopt --into ${workspace.registry}`);
    expect(stdout).toMatch(/^skill +review +[\w, -]+ +2, equal +skills\/review$/m);
    expect(stdout).toMatch(
      /^rule +agents-md +claude-code, cursor, codex, agents-md +1 +rules\/agents-md$/m,
    );
    expect(stdout).toContain('Skipped\n  skill bad (.claude/skills/bad/SKILL.md): A quoted string');
    expect(stdout).toContain('  rule latin (.claude/rules/latin.md): it is not UTF-8 text\n');
    expect(stdout).toContain('Not read\n  .claude/skills/away is a link, which is not followed\n');
    expect(stdout).toContain('--harness claude-code,cursor,codex --skip-unsupported\n');
    expect(readTree(workspace.root)).toEqual(before);

    const adoptedTree = readTree(workspace.registry);
    expect(Object.keys(adoptedTree)).toEqual([
      'agents/tester/.originals/tester.from-claude.md',
      'agents/tester/ARTIFACT.md',
      'hooks/pre-tool-use-guard/ARTIFACT.md',
      'hooks/pre-tool-use-guard/run-native.mjs',
      'hooks/pre-tool-use-guard/scripts/guard.sh',
      'mcp-servers/db/ARTIFACT.md',
      'mcp-servers/files/ARTIFACT.md',
      'mcp-servers/linear/ARTIFACT.md',
      'rules/agents-md/.originals/AGENTS.from-workspace.md',
      'rules/agents-md/ARTIFACT.md',
      'rules/types/.originals/types.from-cursor.mdc',
      'rules/types/ARTIFACT.md',
      'skills/review/ARTIFACT.md',
      'skills/review/SKILL.md',
    ]);
    const { stdout: linted } = await workspace.ok(`lint ${workspace.registry}`);
    expect(linted).toContain('0 errors,');
  });

  test('installs an adopted hook with its original matcher', async () => {
    const { '.claude/settings.json': settings = '', '.claude/hooks/guard.sh': script = '' } = FILES;
    const workspace = openWorkspace(
      {},
      { '.claude/settings.json': settings, '.claude/hooks/guard.sh': script },
    );
    await workspace.ok(`adopt --into ${workspace.registry} --harness claude-code`);
    rmSync(join(workspace.root, '.claude/settings.json'));
    await workspace.ok(`sync --registry ${workspace.registry} --harness claude-code --yes`);
    expect(JSON.parse(readTree(workspace.root)['.claude/settings.json'] ?? '')).toMatchObject({
      hooks: { PreToolUse: [{ matcher: 'Bash' }] },
    });
  });

  test('installs an adopted rule whose imports still resolve', async () => {
    const files: FileTree = {
      'CLAUDE.md': 'Follow @docs/style.md.\n',
      '.claude/CLAUDE.md': 'Follow @team.md and @../docs/style.md.\n',
      '.claude/team.md': 'Ours.\n',
      'GEMINI.md': 'Follow @docs/style.md.\n',
      'docs/style.md': 'Short lines.\n',
    };
    for (const [harness, path] of [
      ['claude-code', 'CLAUDE.md'],
      ['claude-code', '.claude/CLAUDE.md'],
      ['gemini-cli', 'GEMINI.md'],
    ] as const) {
      const {
        [path]: rule = '',
        'docs/style.md': style = '',
        '.claude/team.md': team = '',
      } = files;
      const workspace = openWorkspace(
        {},
        { [path]: rule, 'docs/style.md': style, '.claude/team.md': team },
      );
      await workspace.ok(`adopt --into ${workspace.registry} --harness ${harness}`);
      rmSync(join(workspace.root, path));
      await workspace.ok(`sync --registry ${workspace.registry} --harness ${harness}`);
      const delivered = Object.entries(readTree(workspace.root)).find(
        ([name, text]) => !name.startsWith('.catalog/') && text.includes('Follow @'),
      );
      const [at = '', text = ''] = delivered ?? [];
      const imports = [...text.matchAll(/@([\w./-]+[\w])/g)].map(([, to = '']) => to);
      expect(imports.length).toBeGreaterThan(0);
      for (const to of imports) {
        expect(existsSync(join(workspace.root, dirname(at), to)), `${at} imports ${to}`).toBe(true);
      }
    }
  });

  test('keeps every file of copies that differ, and reports the paths', async () => {
    const skill = (prose: string): string =>
      `---\nname: review\ndescription: Use it before a change is merged.\n---\n\n${prose}\n`;
    const rule = (prose: string): string => `---\nalwaysApply: true\n---\n${prose}\n`;
    const files: FileTree = {
      '.claude/skills/review/SKILL.md': skill('Review.'),
      '.claude/skills/review/run.sh': { x: '#!/bin/sh\n' },
      '.claude/skills/review/claude.md': 'Only here.\n',
      '.cursor/skills/review/SKILL.md': skill('Review kindly.'),
      '.cursor/skills/review/run.sh': { x: '#!/bin/sh\ntrue\n' },
      '.cursor/skills/review/docs/cursor.bin': new Uint8Array([0, 255, 13, 10]),
      '.claude/rules/tone.md': 'Be brief.\n',
      '.cursor/rules/tone.mdc': rule('Be kind.'),
    };
    const workspace = openWorkspace({}, files);
    for (const path of Object.keys(files)) {
      const seconds = path.startsWith('.cursor') ? 1_700_000_001 : 1_700_000_000;
      utimesSync(join(workspace.root, path), seconds, seconds);
    }
    const before = readTree(workspace.root);
    const { stdout } = await workspace.ok(`adopt --into ${workspace.registry}`);

    const catalog = readTree(workspace.registry);
    const contents = Object.values(catalog);
    const lost = Object.entries(before).filter(
      ([, content]) => !contents.some((held) => held.endsWith(content)),
    );
    expect(lost).toEqual([]);
    expect(Object.keys(catalog)).toEqual([
      'rules/tone/.originals/tone.from-claude.md',
      'rules/tone/.originals/tone.from-cursor.mdc',
      'rules/tone/ARTIFACT.md',
      'skills/review/.originals/SKILL.from-claude.md',
      'skills/review/.originals/run.from-claude.sh',
      'skills/review/ARTIFACT.md',
      'skills/review/SKILL.md',
      'skills/review/claude.md',
      'skills/review/docs/cursor.bin',
      'skills/review/run.sh',
    ]);
    expect(stdout).toContain(`Copies that differ
  skills/review: uses .cursor/skills/review/SKILL.md (modified last); .claude/skills/review/SKILL.md differs in SKILL.md, docs/cursor.bin, run.sh, claude.md
  rules/tone: uses .cursor/rules/tone.mdc (modified last); .claude/rules/tone.md differs in prose

Added from other copies
  skills/review/claude.md: from .claude/skills/review/claude.md

Kept in .originals, not installed
  skills/review/.originals/SKILL.from-claude.md: from .claude/skills/review/SKILL.md
  skills/review/.originals/run.from-claude.sh: from .claude/skills/review/run.sh
  rules/tone/.originals/tone.from-claude.md: from .claude/rules/tone.md
  1 converted file, under <id>/.originals/
`);
    const { stdout: linted } = await workspace.ok(`lint ${workspace.registry}`);
    expect(linted).toContain('0 errors,');

    const { document } = await workspace.json('adopt --into ./other --dry-run');
    expect(document).toMatchObject({
      things: [
        {
          id: 'skills/review',
          chosen_by: 'newest',
          merged: [{ path: 'claude.md', source: '.claude/skills/review/claude.md' }],
          kept: [
            {
              path: 'skills/review/.originals/SKILL.from-claude.md',
              sources: ['.claude/skills/review/SKILL.md'],
            },
            {
              path: 'skills/review/.originals/run.from-claude.sh',
              sources: ['.claude/skills/review/run.sh'],
            },
          ],
        },
        { id: 'rules/tone', chosen_by: 'newest', merged: [] },
      ],
    });
  });

  test('never copies or prints a secret, and reports its replacement', async () => {
    const workspace = openWorkspace({}, FILES);
    const { stdout, stderr } = await workspace.ok(`adopt --into ${workspace.registry}`);
    const all = stdout + stderr + JSON.stringify(readTree(workspace.registry));
    expect(SECRETS.filter((secret) => all.includes(secret))).toEqual([]);
    for (const variable of ['PASSWORD', 'URL', 'DB_API_KEY', 'LINEAR_AUTHORIZATION']) {
      expect(stdout).toContain(`looks like a secret and is \${secret:${variable}}\n`);
    }
  });

  test('writes nothing the second time', async () => {
    const workspace = openWorkspace({}, FILES);
    await workspace.ok(`adopt --into ${workspace.registry}`);
    const before = readTree(workspace.registry);
    const { stdout } = await workspace.ok(`adopt --into ${workspace.registry}`);
    expect(stdout).toMatch(/Nothing to write to .*; 8 already exist; 2 skipped\.\n/);
    expect(readTree(workspace.registry)).toEqual(before);
  });

  test('produces artifacts that sync restores as the original files', async () => {
    const workspace = openWorkspace({}, FILES);
    await workspace.ok(`adopt --into ${workspace.registry} --harness cursor`);
    const empty = openWorkspace();
    await empty.ok(`sync --registry ${workspace.registry} --harness cursor`);
    const [had, has] = [readTree(workspace.root), readTree(empty.root)];
    const skill = '.cursor/skills/review/SKILL.md';
    expect(has['.claude/skills/review/SKILL.md'] ?? has[skill]).toBe(had[skill]);
    expect(has['.cursor/rules/types.mdc']).toContain('globs: src/**\nalwaysApply: false\n---\nS');
  });

  test('lists the files to remove, after which sync succeeds without a prompt', async () => {
    const stop = { hooks: [{ type: 'command', command: 'true' }] };
    const workspace = openWorkspace(
      {},
      {
        'CLAUDE.md': 'Be brief.\n',
        '.claude/settings.json': JSON.stringify({ env: { A: 'b' }, hooks: { Stop: [stop] } }),
        '.mcp.json': JSON.stringify({ mcpServers: { a: { command: 'a' } } }),
      },
    );
    const { stdout } = await workspace.ok(`adopt --into ${workspace.registry}`);
    expect(stdout).toContain('Skipped\n  env (.claude/settings.json): no matching artifact type\n');
    expect(stdout).toMatch(
      /\n\nTo let catalog manage these, remove\n {2}\.mcp\.json\n {2}CLAUDE\.md\n {2}in \.claude\/settings\.json: hooks\.Stop \(true\)\nOr let the sync take over [^\n]+`--take-over \.mcp\.json`\n$/,
    );
    rmSync(join(workspace.root, 'CLAUDE.md'));
    rmSync(join(workspace.root, '.mcp.json'));
    writeFileSync(join(workspace.root, '.claude/settings.json'), '{"env": {"A": "b"}}');
    await workspace.ok(`sync --registry ${workspace.registry} --harness claude-code`);
    const settings = JSON.parse(readTree(workspace.root)['.claude/settings.json'] ?? '');
    expect(settings).toMatchObject({ env: { A: 'b' }, hooks: { Stop: [{}] } });
  });

  test('prints a JSON document', async () => {
    const workspace = openWorkspace({}, { 'AGENTS.md': 'Use npm.\n' });
    const { document } = await workspace.json('adopt --into ./new --domain team --dry-run');
    expect(document).toMatchObject({
      from: workspace.root,
      into: join(workspace.root, 'new'),
      dry_run: true,
      harnesses: ['agents-md'],
      things: [{ type: 'rule', id: 'team/rules/agents-md', outcome: 'taken', reason: null }],
      passed_over: [],
      files: ['team/rules/agents-md/'],
      other_members: [],
      deliver_to: ['agents-md'],
      originals: [{ path: 'AGENTS.md', entries: null }],
    });
    expect(readTree(workspace.root)).toEqual({ 'AGENTS.md': 'Use npm.\n' });
  });

  test('succeeds for an empty folder, and lists the searched paths', async () => {
    const { stdout } = await openWorkspace().ok('adopt --into ./catalogue');
    expect(stdout).toContain('No agent files found in . for agents-md.\n  checked .agents/skills,');
  });

  test.each([
    ['adopt', 'adopt needs --into'],
    ['adopt --into ./new --from ./nowhere', 'The folder ./nowhere does not exist.'],
    ['adopt --into ./AGENTS.md', './AGENTS.md is a file'],
    ['adopt --into https://registry.example', 'the registry is a server'],
    ['adopt --into ./new --domain ../up', '--domain ../up is not a valid id prefix'],
    ['adopt --into ./new --harness claude', 'Unknown harness "claude"'],
    ['adopt --into ./layers', './layers has layers'],
  ])('%s is rejected', async (words, message) => {
    const workspace = openWorkspace(
      {},
      {
        'AGENTS.md': 'Use npm.\n',
        'layers/.registry-config': 'multi_layer: true\n',
        'layers/base/x/y.md': '',
      },
    );
    const { error } = await workspace.error(words);
    expect(error.message).toContain(message);
  });
});
