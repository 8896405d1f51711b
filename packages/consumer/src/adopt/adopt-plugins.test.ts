import { linkSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLayer } from '@catalog/core/node/read-layer';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { runSync } from '../sync/run-sync.ts';
import { adoptPlugins, MCP_REGISTRY, type PluginAdoptRequest } from './adopt-plugins.ts';
import type { AdoptReport } from './adopt-workspace.ts';

const SKILL = '---\nname: tidy\ndescription: Use it when notes need tidying.\n---\n\nTidy.\n';
const AGENT = '---\nname: tester\ndescription: Writes tests.\ntools: Read\n---\nTest.\n';
const COMMAND = '---\ndescription: Ship it.\n---\nShip $0.\n';

function places(files: FileTree): { from: string; into: string } {
  const folder = temporaryFolder();
  const from = join(folder, 'plugin');
  mkdirSync(from);
  writeTree(from, files);
  return { from, into: join(folder, 'registry') };
}

function adopt(
  at: { from: string; into: string },
  options: Partial<PluginAdoptRequest> = {},
): AdoptReport {
  const report = adoptPlugins({
    ...at,
    harness: undefined,
    domain: '',
    dry_run: false,
    ...options,
  });
  if ('reason' in report) throw new Error(report.reason);
  return report;
}

function reasonOf(files: FileTree, options: Partial<PluginAdoptRequest> = {}): string {
  const request = { harness: undefined, domain: '', dry_run: false, ...options };
  const report = adoptPlugins({ ...places(files), ...request });
  return 'reason' in report ? report.reason : 'accepted';
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function notRead({ passed_over }: AdoptReport): string[] {
  return passed_over.map(({ path, reason }) => `${path} ${reason}`);
}

function outcomes({ things }: AdoptReport): string[] {
  return things.map(({ id, type, name, reason }) => id ?? `${type} ${name}: ${reason}`);
}

function manifestAt(into: string, id: string): string {
  return String(readTree(into)[`${id}/ARTIFACT.md`]);
}

const HOOKS = {
  PreToolUse: [
    {
      matcher: 'Bash',
      hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}"/scripts/guard.sh' }],
    },
  ],
};

const CLAUDE_PLUGIN: FileTree = {
  '.claude-plugin/plugin.json': json({
    name: 'acme-tools',
    version: '2.1.0',
    author: { name: 'Acme' },
    repository: 'https://git.example/acme/tools',
  }),
  'skills/tidy/SKILL.md': SKILL,
  'skills/tidy/run.sh': { x: '#!/bin/sh\n' },
  'agents/tester.md': AGENT,
  'commands/ship.md': COMMAND,
  'hooks/hooks.json': json({ description: 'Guards.', hooks: HOOKS }),
  'scripts/guard.sh': { x: '#!/bin/sh\nexit 2\n' },
  '.mcp.json': json({ mcpServers: { tickets: { type: 'http', url: 'https://t.example/mcp' } } }),
};

const ALL = [
  'acme-tools/skills/tidy',
  'acme-tools/agents/tester',
  'acme-tools/commands/ship',
  'acme-tools/hooks/pre-tool-use-guard',
  'acme-tools/mcp-servers/tickets',
];

describe('adopting a Claude Code plugin', () => {
  test('creates artifacts that record the plugin and its version', () => {
    const at = places(CLAUDE_PLUGIN);
    const report = adopt(at);
    expect(outcomes(report)).toEqual(ALL);
    expect(report).toMatchObject({ harnesses: ['claude-code'], other_members: [], originals: [] });
    expect(notRead(report)).toEqual([]);
    expect(report.executable_content.map(({ id }) => id)).toEqual([
      'acme-tools/agents/tester',
      'acme-tools/hooks/pre-tool-use-guard',
      'acme-tools/mcp-servers/tickets',
      'acme-tools/skills/tidy',
    ]);
    for (const id of ALL) {
      const manifest = manifestAt(at.into, id);
      expect(manifest).toContain(
        'imported_from: "Claude Code plugin acme-tools 2.1.0, https://git.example/acme/tools"\n',
      );
      expect(manifest).toContain('version: "2.1.0"\n');
    }
    expect(manifestAt(at.into, 'acme-tools/commands/ship')).toContain('Ship $1.');
    expect(readTree(at.into)).toMatchObject({
      'acme-tools/hooks/pre-tool-use-guard/scripts/guard.sh': '(x) #!/bin/sh\nexit 2\n',
      'acme-tools/skills/tidy/run.sh': '(x) #!/bin/sh\n',
    });
  });

  test('a sync delivers the artifacts without the origin once executable content is approved', async () => {
    const at = places(CLAUDE_PLUGIN);
    adopt(at);
    const target = temporaryFolder();
    const settings = `defaults:\n  registry: ${at.into}\n  harness: claude-code\n`;
    writeTree(target, { '.catalog/sync.yaml': settings });
    const place = { cwd: target, home: temporaryFolder(), env: {} };
    await expect(
      runSync(loadConfig({ ...place, flags: {} }), { mode: 'sync' }),
    ).rejects.toMatchObject({ code: 'materialize.consent_required' });
    const flags = { registry: at.into, harness: 'claude-code' };
    await runSync(loadConfig({ ...place, flags }), { mode: 'sync' });
    const tree = readTree(target);
    expect(tree['.claude/agents/tester.md']).toBe(AGENT);
    expect(json(tree)).not.toContain('imported_from');
  });

  test('changes nothing if the plugin is adopted again', () => {
    const at = places(CLAUDE_PLUGIN);
    adopt(at);
    const before = readTree(at.into);
    expect(adopt(at).files).toEqual([]);
    expect(readTree(at.into)).toEqual(before);
  });

  test('reads components from the paths in the manifest', () => {
    const at = places({
      '.claude-plugin/plugin.json': json({
        name: 'p',
        skills: ['./more/', './single'],
        agents: './own/tester.md',
        commands: ['./own/commands/'],
        hooks: { PreToolUse: HOOKS.PreToolUse },
        mcpServers: { inline: { command: 'inline-mcp' } },
      }),
      'skills/standard/SKILL.md': SKILL,
      'more/a/SKILL.md': SKILL,
      'single/SKILL.md': SKILL,
      'own/tester.md': AGENT,
      'own/other.md': AGENT,
      'own/commands/ship.md': COMMAND,
      'agents/not-read.md': AGENT,
      'scripts/guard.sh': 'exit 2\n',
      '.mcp.json': json({ bare: { command: 'bare-mcp' } }),
    });
    expect(outcomes(adopt(at))).toEqual([
      'p/skills/a',
      'p/skills/single',
      'p/skills/standard',
      'p/agents/tester',
      'p/commands/ship',
      'p/hooks/pre-tool-use-guard',
      'p/mcp-servers/bare',
      'p/mcp-servers/inline',
    ]);
  });

  test('reports the skipped parts', () => {
    const report = adopt(
      places({
        '.claude-plugin/plugin.json': json({ name: 'p', lspServers: {}, userConfig: {} }),
        'bin/tool': 'x',
        '.mcp.json': json({
          mcpServers: { own: { command: '${CLAUDE_PLUGIN_ROOT}/server', args: [] } },
        }),
        'hooks/hooks.json': json({
          hooks: {
            Stop: [{ hooks: [{ type: 'command', command: '"$CLAUDE_PLUGIN_ROOT"/gone.sh' }] }],
          },
        }),
        'commands/far.md': 'Run ${CLAUDE_PLUGIN_ROOT}/scripts/x.sh.\n',
      }),
    );
    expect(report.other_members).toEqual([
      { path: '.claude-plugin/plugin.json', members: ['lspServers', 'userConfig'] },
    ]);
    expect(notRead(report)).toEqual(['bin has no matching artifact type']);
    expect(outcomes(report)).toEqual([
      'p/commands/far',
      expect.stringContaining('in the folder of the plugin that cannot be bundled'),
      'mcp-server own: it runs a file of the plugin; install that program, and name its command',
    ]);
    expect(report.things[0]?.changes).toContainEqual(
      expect.stringContaining('refers to the folder of the plugin'),
    );
  });
});

describe('adopting other formats', () => {
  test('reads a Codex plugin, a Cursor plugin and a Gemini CLI extension', () => {
    const codex = places({
      '.codex-plugin/plugin.json': json({ name: 'c' }),
      'skills/tidy/SKILL.md': SKILL,
      '.mcp.json': json({ mcpServers: { t: { url: 'https://t.example/mcp' } } }),
    });
    expect(outcomes(adopt(codex))).toEqual(['c/skills/tidy', 'c/mcp-servers/t']);
    const cursor = places({
      '.cursor-plugin/plugin.json': json({ name: 'c' }),
      'rules/types.mdc': '---\nglobs: src/**\nalwaysApply: false\n---\nStrict.\n',
      'mcp.json': json({ mcpServers: { t: { url: 'https://t.example/mcp' } } }),
      'hooks/hooks.json': json({ version: 1, hooks: { stop: [{ command: 'true' }] } }),
    });
    expect(outcomes(adopt(cursor))).toEqual([
      'c/rules/types',
      'c/hooks/stop-true',
      'c/mcp-servers/t',
    ]);
    const gemini = places({
      'gemini-extension.json': json({
        name: 'g',
        version: '1.0.0',
        mcpServers: { t: { command: 't-mcp' } },
        excludeTools: ['run_shell_command'],
      }),
      'GEMINI.md': 'Be brief.\n',
      'commands/ops/ship.toml': 'prompt = "Ship {{args}}."\n',
    });
    const report = adopt(gemini);
    expect(outcomes(report)).toEqual([
      'g/commands/ops/ship',
      'g/rules/gemini-md',
      'g/mcp-servers/t',
    ]);
    expect(report.other_members).toEqual([
      { path: 'gemini-extension.json', members: ['excludeTools'] },
    ]);
  });

  test('reads the first of several formats, or the requested one', () => {
    const files = {
      '.claude-plugin/plugin.json': json({ name: 'first' }),
      '.cursor-plugin/plugin.json': json({ name: 'second' }),
      'skills/tidy/SKILL.md': SKILL,
    };
    expect(outcomes(adopt(places(files)))).toEqual(['first/skills/tidy']);
    expect(outcomes(adopt(places(files), { harness: 'cursor' }))).toEqual(['second/skills/tidy']);
    expect(reasonOf(files, { harness: 'codex' })).toContain(
      'has none of .codex-plugin/plugin.json',
    );
    expect(reasonOf(files, { harness: 'zed' })).toContain('no plugins that catalog reads');
  });
});

describe('adopting a marketplace', () => {
  test('gives each local plugin a domain and reports the others', () => {
    const at = places({
      '.claude-plugin/marketplace.json': json({
        name: 'm',
        owner: { name: 'Acme' },
        plugins: [
          { name: 'one', source: './plugins/one' },
          { name: 'docs', source: './', strict: false, skills: ['./skills/tidy'] },
          { name: 'far', source: { source: 'github', repo: 'acme/far' } },
          { name: 'gone', source: './plugins/gone' },
          { name: 'ONE', source: './plugins/one' },
          { name: '../up', source: './plugins/one' },
          { name: 'out', source: './../out' },
        ],
      }),
      'plugins/one/.claude-plugin/plugin.json': json({ name: 'one', version: '1.0.0' }),
      'plugins/one/agents/tester.md': AGENT,
      'plugins/one/hooks/hooks.json': json({ hooks: HOOKS }),
      'plugins/one/scripts/guard.sh': 'exit 2\n',
      'skills/tidy/SKILL.md': SKILL,
      'skills/other/SKILL.md': SKILL,
    });
    const report = adopt(at, { domain: 'vendor' });
    expect(outcomes(report)).toEqual([
      'vendor/one/agents/tester',
      'vendor/one/hooks/pre-tool-use-guard',
      'vendor/docs/skills/tidy',
    ]);
    const list = '.claude-plugin/marketplace.json';
    expect(notRead(report)).toEqual([
      `${list}#far is in another place (github acme/far); download it, then adopt that folder`,
      `${list}#ONE has the name of another plugin of the marketplace`,
      `${list}#plugins[5] has no valid name`,
      expect.stringContaining('#out is not accepted: the path "./../out" '),
      `${list}#gone does not exist as a folder of the marketplace`,
    ]);
  });
});

describe('adopting hostile plugins', () => {
  const plugin = (manifest: object): FileTree => ({
    '.claude-plugin/plugin.json': json({ name: 'p', ...manifest }),
  });

  test.each([
    ['../secrets'],
    ['./a/../../secrets'],
    ['/etc'],
    ['C:\\secrets'],
    ['./..'],
    ['./con'],
    ['./a\u202Eb'],
  ])('ignores components at %j', (path) => {
    const at = places(plugin({ skills: path, commands: [path], mcpServers: path, hooks: path }));
    writeTree(join(at.from, '..'), { 'secrets/a/SKILL.md': SKILL });
    const report = adoptPlugins({ ...at, harness: undefined, domain: '', dry_run: false });
    if ('reason' in report) expect(report.reason).toContain('broken .claude-plugin/plugin.json');
    else {
      expect(report.things).toEqual([]);
      expect(notRead(report)).toHaveLength(4);
    }
  });

  test('does not read through symbolic or hard links', () => {
    const at = places({ ...plugin({}), 'commands/a.md': COMMAND });
    const outside = temporaryFolder();
    writeTree(outside, { 'x/SKILL.md': SKILL, 'secret.md': AGENT });
    symlinkSync(outside, join(at.from, 'skills'));
    mkdirSync(join(at.from, 'agents'));
    symlinkSync(join(outside, 'secret.md'), join(at.from, 'agents/a.md'));
    linkSync(join(outside, 'secret.md'), join(at.from, 'agents/b.md'));
    const report = adopt(at);
    expect(outcomes(report)).toEqual(['p/commands/a']);
    expect(notRead(report).toSorted()).toEqual([
      'agents/a.md is a link, which is not followed',
      'agents/b.md is a hard link (one file with several names)',
      'skills is a link, which is not followed',
    ]);
  });

  test('does not read a plugin whose folder is a link', () => {
    const list = { name: 'm', plugins: [{ name: 'p', source: './p' }] };
    const at = places({ '.claude-plugin/marketplace.json': json(list) });
    const outside = temporaryFolder();
    writeTree(outside, { 'skills/x/SKILL.md': SKILL });
    symlinkSync(outside, join(at.from, 'p'));
    const report = adopt(at);
    expect(report.things).toEqual([]);
    expect(notRead(report)).toContain('p is a link, which is not followed');
  });

  test('rejects a plugin if its manifest is a link, too large, or broken', () => {
    const at = places({ 'real.json': json({ name: 'p' }) });
    mkdirSync(join(at.from, '.claude-plugin'));
    symlinkSync('../real.json', join(at.from, '.claude-plugin/plugin.json'));
    const linked = adoptPlugins({ ...at, harness: undefined, domain: '', dry_run: false });
    expect(linked).toMatchObject({ reason: expect.stringContaining('has none of') });
    const manifest = (text: string): string => reasonOf({ '.claude-plugin/plugin.json': text });
    expect(manifest(`{"name": "p", "x": "${'x'.repeat(1024 * 1024)}"}`)).toBe(
      'has a broken .claude-plugin/plugin.json: it is larger than 1024 KiB',
    );
    expect(manifest('[')).toContain('has a broken .claude-plugin/plugin.json: it cannot be read');
    expect(manifest('{"name": "../p"}')).toContain('its name is not made of');
    expect(manifest('{"name": "con"}')).toContain('its name is not made of');
    expect(manifest('{"name": ["p"]}')).toContain('its name is not made of');
    expect(manifest('['.repeat(100_000))).toContain('has a broken');
  });

  test('rejects huge files and duplicate names', () => {
    const at = places({
      ...plugin({ agents: ['./a/x.md', './b/X.md'] }),
      'a/x.md': AGENT,
      'b/X.md': AGENT.replace('Test.', 'Other.'),
      'commands/big.md': '',
    });
    truncateSync(join(at.from, 'commands/big.md'), 65 * 1024 * 1024);
    const report = adopt(at);
    expect(notRead(report)).toEqual(['commands/big.md is too large']);
    expect(report.things).toHaveLength(1);
    expect(report.things[0]?.copies[1]?.differs).toContain('prose');
  });

  test('leaves an invalid URL out of the origin', () => {
    const at = places({
      ...plugin({ homepage: 'https://x\nrule_mode: always' }),
      'commands/a.md': COMMAND,
    });
    adopt(at);
    expect(manifestAt(at.into, 'p/commands/a')).toContain('imported_from: Claude Code plugin p\n');
  });

  test('writes only inside the registry, whatever the component names are', () => {
    const at = places({ ...plugin({}), 'commands/..\\up.md': COMMAND, 'commands/nul.md': COMMAND });
    const report = adopt(at);
    expect(report.things).toEqual([]);
    expect(notRead(report)).toHaveLength(2);
  });
});

test('adopts only the skills of a plugin in a layer', () => {
  const { from } = places(CLAUDE_PLUGIN);
  const { snapshot } = readLayer(from, 'team');
  expect(snapshot.packages.map(({ id }) => id)).toEqual(['skills/tidy']);
  expect(snapshot.refused).toEqual([]);
});

test('adopt rejects a folder without a manifest', () => {
  expect(reasonOf({ 'skills/tidy/SKILL.md': SKILL })).toContain('has none of .claude-plugin/');
});

test('adopt converts a server.json into an MCP server', () => {
  const at = places({
    'server.json': json({
      name: 'com.example/tickets',
      description: 'Reads tickets.',
      version: '1.2.0',
      remotes: [{ type: 'streamable-http', url: 'https://t.example/mcp' }],
    }),
  });
  const report = adopt(at, { harness: MCP_REGISTRY });
  expect(outcomes(report)).toEqual(['mcp-servers/tickets']);
  expect(report.deliver_to).toEqual([]);
  expect(manifestAt(at.into, 'mcp-servers/tickets')).toBe(
    '---\ntype: mcp-server\nversion: "1.2.0"\ndescription: Reads tickets.\nurl: https://t.example/mcp\ntransport: http\nimported_from: MCP server com.example/tickets 1.2.0\n---\n',
  );
});
