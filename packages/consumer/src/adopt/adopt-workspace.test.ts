import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PackageFile } from '@catalog/core/artifact/types';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { runSync } from '../sync/run-sync.ts';
import { adoptWorkspace, type AdoptReport, type AdoptRequest } from './adopt-workspace.ts';
import { writeFiles } from './write-packages.ts';

const AGENT = '---\nname: a\ndescription: Does a thing.\n---\nA.\n';
const SKILL = '---\nname: tidy\ndescription: Use it when notes need tidying.\n---\n\nTidy.\n';

function places(files: FileTree): { from: string; into: string } {
  const folder = temporaryFolder();
  const from = join(folder, 'work');
  mkdirSync(from);
  writeTree(from, files);
  return { from, into: join(folder, 'catalogue') };
}

function adopt(
  at: { from: string; into: string },
  options: Partial<AdoptRequest> = {},
): AdoptReport {
  return adoptWorkspace({
    ...at,
    harnesses: undefined,
    scope: 'workspace',
    domain: '',
    dry_run: false,
    ...options,
  });
}

async function deliver(
  { from, into }: { from: string; into: string },
  harnesses: readonly string[],
  take_over?: readonly string[],
): Promise<void> {
  const flags = { registry: into, harness: harnesses.join(','), unsupported: 'skip' as const };
  const config = loadConfig({ cwd: from, home: join(from, '../home'), env: {}, flags });
  const { error } = await runSync(config, { mode: 'sync', yes: true, take_over });
  expect(error).toBeUndefined();
}

function outcomes({ things }: AdoptReport): string[] {
  return things.map(({ type, name, outcome }) => `${type} ${name} ${outcome}`);
}

describe('adopting a workspace', () => {
  test('writes a catalog that a sync can deliver, keeping the executable bits of scripts', async () => {
    const at = places({
      '.claude/skills/tidy/SKILL.md': SKILL,
      '.claude/skills/tidy/run.sh': { x: '#!/bin/sh\n' },
    });
    const { files } = adopt(at);
    expect(files.toSorted()).toEqual([
      'skills/tidy/ARTIFACT.md',
      'skills/tidy/SKILL.md',
      'skills/tidy/run.sh',
    ]);
    const target = temporaryFolder();
    const flags = { registry: at.into, harness: 'claude-code' };
    await runSync(loadConfig({ cwd: target, home: target, env: {}, flags }), { mode: 'sync' });
    expect(readTree(join(target, '.claude'))).toEqual(readTree(join(at.from, '.claude')));
  });

  test('reads the harnesses in use and the files that all harnesses read', () => {
    const at = places({ '.cursor/rules/a.mdc': 'A.\n', 'AGENTS.md': 'B.\n', 'GEMINI.txt': '' });
    const { harnesses, looked_at } = adopt(at);
    expect(harnesses).toEqual(['cursor', 'agents-md']);
    expect(looked_at).toContain('.cursor/rules');
    expect(looked_at).not.toContain('.gemini/settings.json');
  });

  test('finds everything present on the second run and writes nothing', () => {
    const at = places({ '.claude/skills/tidy/SKILL.md': SKILL, '.claude/rules/a.md': 'A.\n' });
    adopt(at);
    const before = readTree(at.into);
    const again = adopt(at);
    expect(outcomes(again)).toEqual(['skill tidy there', 'rule a there']);
    expect(again.files).toEqual([]);
    expect(readTree(at.into)).toEqual(before);
  });

  test('replaces no file of the catalog', () => {
    const at = places({ '.claude/rules/a.md': 'A.\n', '.claude/rules/b.md': 'B.\n' });
    const existing_file = '---\ntype: rule\nversion: 2.0.0\nrule_mode: always\n---\nTheirs.\n';
    writeTree(at.into, { 'rules/a/ARTIFACT.md': existing_file });
    const { things } = adopt(at);
    expect(things[0]).toMatchObject({
      outcome: 'left',
      reason: 'the catalog already has a different rules/a; pass --domain, or remove that one',
    });
    expect(readTree(at.into)['rules/a/ARTIFACT.md']).toBe(existing_file);
    expect(Object.keys(readTree(at.into))).toContain('rules/b/ARTIFACT.md');
  });

  test('writes nothing through a link in the catalog', () => {
    const at = places({ '.claude/rules/a.md': 'A.\n' });
    const outside_folder = temporaryFolder();
    mkdirSync(at.into);
    symlinkSync(outside_folder, join(at.into, 'rules'));
    expect(adopt(at).things[0]?.reason).toBe('rules in the catalog is not a folder');
    expect(readTree(outside_folder)).toEqual({});
  });

  test('writes nothing in a dry run', () => {
    const at = places({ '.claude/rules/a.md': 'A.\n' });
    const { files } = adopt(at, { dry_run: true });
    expect(files).toEqual(['rules/a/']);
    expect(() => statSync(at.into)).toThrow('ENOENT');
  });

  test('ignores files that a sync delivered', async () => {
    const at = places({ '.claude/rules/mine.md': 'Mine.\n' });
    const registry = temporaryFolder();
    writeTree(registry, {
      'ops/theirs/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\nrule_mode: always\n---\nT.\n',
      'ops/server/ARTIFACT.md': '---\ntype: mcp-server\nversion: 1.0.0\ncommand: a\n---\n',
    });
    const flags = { registry, harness: 'claude-code' };
    await runSync(loadConfig({ cwd: at.from, home: registry, env: {}, flags }), { mode: 'sync' });
    expect(outcomes(adopt(at))).toEqual([
      'rule mine taken',
      'rule theirs left',
      'mcp-server server left',
    ]);
  });
});

describe('adopting copies: source files kept next to an artifact', () => {
  const ORIGINALS = 'skills/tidy/.originals';
  const files: FileTree = {
    '.claude/skills/tidy/SKILL.md': SKILL,
    '.claude/skills/tidy/run.sh': { x: '#!/bin/sh\n' },
    '.cursor/skills/tidy/SKILL.md': `${SKILL}Twice.\n`,
    '.cursor/skills/tidy/run.sh': { x: '#!/bin/sh\ntrue\n' },
    '.cursor/skills/tidy/more.md': 'More.\n',
  };
  const harnesses = ['claude-code', 'cursor'];

  test('writes the copies with their mode, and a sync delivers only the merged files', async () => {
    const at = places(files);
    chmodSync(join(at.from, '.cursor/skills/tidy/SKILL.md'), 0o444);
    adopt(at, { harnesses });
    expect(readTree(join(at.into, 'skills/tidy'))).toEqual({
      '.originals/SKILL.from-cursor.md': `${SKILL}Twice.\n`,
      '.originals/run.from-cursor.sh': '(x) #!/bin/sh\ntrue\n',
      'ARTIFACT.md': '---\ntype: skill\nversion: "1.0.0"\n---\n',
      'SKILL.md': SKILL,
      'more.md': 'More.\n',
      'run.sh': '(x) #!/bin/sh\n',
    });
    const target = temporaryFolder();
    const flags = { registry: at.into, harness: 'claude-code' };
    await runSync(loadConfig({ cwd: target, home: target, env: {}, flags }), { mode: 'sync' });
    const delivered = Object.keys(readTree(join(target, '.claude/skills/tidy')));
    expect(delivered).toEqual(['SKILL.md', 'more.md', 'run.sh']);
  });

  test('writes only the missing copies on the next run', () => {
    const at = places(files);
    adopt(at, { harnesses });
    const before = readTree(at.into);
    rmSync(join(at.into, ORIGINALS), { recursive: true });
    const report = adopt(at, { harnesses });
    expect(outcomes(report)).toEqual(['skill tidy there']);
    expect(report.files).toEqual([
      `${ORIGINALS}/SKILL.from-cursor.md`,
      `${ORIGINALS}/run.from-cursor.sh`,
    ]);
    expect(report.things[0]?.kept.map(({ path }) => path)).toEqual(report.files);
    expect(readTree(at.into)).toEqual(before);
  });

  test('does not treat a copy that changed since as already present', () => {
    const at = places(files);
    adopt(at, { harnesses });
    const before = readTree(at.into);
    writeTree(at.from, { '.cursor/skills/tidy/SKILL.md': `${SKILL}Thrice.\n` });
    const { things, originals } = adopt(at, { harnesses });
    expect(things[0]).toMatchObject({ id: null, outcome: 'left', kept: [], merged: [] });
    expect(originals).toEqual([]);
    expect(readTree(at.into)).toEqual(before);
  });

  test('does not write a copy through a link', () => {
    const at = places({ ...files, '.cursor/skills/tidy/docs/a.md': 'A.\n' });
    writeTree(at.from, { '.claude/skills/tidy/docs/a.md': 'B.\n' });
    adopt(at, { harnesses });
    const outside_folder = temporaryFolder();
    rmSync(join(at.into, ORIGINALS, 'docs'), { recursive: true });
    symlinkSync(outside_folder, join(at.into, ORIGINALS, 'docs'));
    expect(adopt(at, { harnesses }).things[0]?.outcome).toBe('left');
    expect(readTree(outside_folder)).toEqual({});
  });

  test('leaves nothing behind if one of the copies cannot be written', () => {
    const at = places(files);
    const twice = [file('a/one'), file('a/two'), file('a/one')];
    expect(() => writeFiles(at.into, 'skills/tidy', twice)).toThrow(/a\/one cannot be written/);
    expect(readTree(at.into)).toEqual({});
    expect(readdirSync(join(at.into, 'skills'))).toEqual([]);
  });

  function file(path: string): PackageFile {
    return { path, bytes: new TextEncoder().encode(path), executable: false };
  }

  test('allows the user to remove every file that adopt lists', () => {
    const at = places({
      ...files,
      '.claude/agents/a.md': AGENT,
      '.cursor/agents/a.md': `${AGENT}B`,
    });
    const before = Object.values(readTree(at.from));
    const { originals } = adopt(at, { harnesses });
    expect(originals.map(({ path }) => path)).toEqual([
      '.cursor/agents/a.md',
      '.cursor/skills/tidy',
    ]);
    for (const { path } of originals) rmSync(join(at.from, path), { recursive: true });
    const after = new Set([
      ...Object.values(readTree(at.from)),
      ...Object.values(readTree(at.into)),
    ]);
    expect(before.filter((content) => !after.has(content))).toEqual([]);
  });
});

describe('adopt: originals to remove', () => {
  const command = 'sh tools/check.sh';
  const group = { hooks: [{ type: 'command', command }] };
  const files: FileTree = {
    'CLAUDE.md': 'Be brief.\n',
    '.cursorrules': 'Be kind.\n',
    '.claude/skills/tidy/SKILL.md': SKILL,
    '.claude/skills/odd/SKILL.md': SKILL.replace('tidy', 'other'),
    '.claude/commands/git/commit.md': 'Commit.\n',
    '.claude/commands/same.md': 'Say it.\n',
    '.claude/commands/empty.md': '---\ndescription: ""\n---\nSay it.\n',
    '.claude/settings.json': JSON.stringify({
      permissions: { deny: ['Read(.env)'] },
      hooks: { Stop: [group, { hooks: [{ type: 'prompt', prompt: 'Done?' }] }] },
    }),
    '.mcp.json': JSON.stringify({ mcpServers: { a: { command: 'a' } } }),
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: {
        a: { command: 'a' },
        same: { type: 'stdio', command: 'c' },
        off: { command: 'b', disabled: true },
      },
    }),
  };

  test('includes a rule that its product would also read from AGENTS.md', () => {
    const rule = '---\nalwaysApply: true\n---\nBe kind.\n';
    const { originals } = adopt(places({ '.cursor/rules/tone.mdc': rule }), {
      harnesses: ['cursor', 'codex'],
    });
    expect(originals).toEqual([{ path: '.cursor/rules/tone.mdc', entries: null }]);
  });

  test('includes only files that would block a sync or make an agent appear twice', async () => {
    const at = places(files);
    const { originals, other_members, deliver_to } = adopt(at);
    expect(deliver_to).toEqual(['claude-code', 'cursor']);
    expect(other_members).toEqual([{ path: '.claude/settings.json', members: ['permissions'] }]);
    expect(originals).toEqual([
      { path: '.claude/commands/empty.md', entries: null },
      { path: '.claude/commands/git/commit.md', entries: null },
      { path: '.claude/skills/odd', entries: null },
      { path: '.cursorrules', entries: null },
      { path: '.mcp.json', entries: null },
      { path: 'CLAUDE.md', entries: null },
      { path: '.claude/settings.json', entries: [`hooks.Stop (${command})`] },
      { path: '.cursor/mcp.json', entries: ['mcpServers.a'] },
    ]);
    for (const { path } of originals.filter(({ entries }) => entries === null)) {
      rmSync(join(at.from, path), { recursive: true });
    }
    writeTree(at.from, {
      '.claude/settings.json': '{"permissions": {"deny": ["Read(.env)"]}}',
      '.cursor/mcp.json': JSON.stringify({
        mcpServers: {
          same: { type: 'stdio', command: 'c' },
          off: { command: 'b', disabled: true },
        },
      }),
    });
    const flags = {
      registry: at.into,
      harness: deliver_to.join(','),
      unsupported: 'skip',
    } as const;
    await runSync(loadConfig({ cwd: at.from, home: at.into, env: {}, flags }), { mode: 'sync' });
    const tree = readTree(at.from);
    expect(tree['.claude/settings.json']).toContain('Read(.env)');
    expect(tree['.claude/commands/same.md']).toBe('Say it.\n');
    expect(tree['.claude/commands/empty.md']).toBe('Say it.\n');
  });

  test('lists the files of a skill if a neighboring file was not read', () => {
    const at = places({ '.claude/skills/odd/SKILL.md': SKILL });
    mkdirSync(join(at.from, '.claude/skills/odd/.git'));
    const { originals, passed_over } = adopt(at);
    expect(originals).toEqual([{ path: '.claude/skills/odd/SKILL.md', entries: null }]);
    expect(passed_over.map(({ path }) => path)).toEqual(['.claude/skills/odd/.git']);
  });

  test("lists only the user's part of a file that catalog also writes", () => {
    const block = '<!-- catalog:begin:a/b -->\nOurs.\n<!-- catalog:end:a/b -->\n';
    const at = places({ 'AGENTS.md': `Mine.\n${block}` });
    expect(adopt(at).originals).toEqual([
      { path: 'AGENTS.md', entries: ['the text outside the marks of catalog'] },
    ]);
  });
});

describe('adopting a file that only imports AGENTS.md', () => {
  test.each([['codex', 'claude-code'], ['claude-code']])(
    'adopts the file as the same rule, loaded once after the sync: %s %s',
    async (...harnesses) => {
      const at = places({
        'AGENTS.md': 'Use npm.\n',
        'CLAUDE.md': '# Claude\n\n@AGENTS.md\n',
      });
      const report = adopt(at, { harnesses });
      expect(outcomes(report)).toEqual(['rule agents-md taken']);
      for (const { path } of report.originals) rmSync(join(at.from, path));
      await deliver(at, harnesses);
      const all = Object.entries(readTree(at.from, ['.catalog']));
      const holding = all.filter(([, text]) => text.includes('Use npm.'));
      expect(holding).toHaveLength(1);
      expect(all.filter(([path, text]) => path === 'AGENTS.md' && text.includes('@'))).toEqual([]);
    },
  );

  test('keeps the rest of its content as a rule without the import', () => {
    const at = places({ 'AGENTS.md': 'Use npm.\n', 'CLAUDE.md': '@AGENTS.md\n\nBe brief.\n' });
    const report = adopt(at, { harnesses: ['claude-code', 'codex'] });
    expect(report.things.map(({ id, changes }) => [id, changes])).toEqual([
      ['rules/agents-md', []],
      [
        'rules/claude-md',
        expect.arrayContaining([
          'the import of AGENTS.md is left out, because that file is the rule agents-md',
        ]),
      ],
    ]);
    const text = readTree(at.into)['rules/claude-md/ARTIFACT.md'];
    expect(text).toMatch(/---\n\s*Be brief\.\n$/);
  });

  test('does not adopt the file as a Claude Code rule if CLAUDE.md does not import it', () => {
    const at = places({ 'AGENTS.md': 'Use npm.\n', 'CLAUDE.md': 'Be brief.\n' });
    const report = adopt(at, { harnesses: ['claude-code'] });
    expect(outcomes(report)).toEqual(['rule claude-md taken']);
  });
});

describe('adopted hooks and servers', () => {
  const settings = {
    permissions: { deny: ['Read(.env)'] },
    hooks: {
      PreToolUse: [
        { matcher: 'Edit', hooks: [{ type: 'command', command: 'sh tools/guard.sh' }] },
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo mine' }] },
      ],
    },
  };
  const servers = { 'My Server': { command: 'npx', args: ['my-mcp'] }, db: { command: 'db-mcp' } };

  test('do not run twice after --take-over', async () => {
    const at = places({
      '.claude/settings.json': JSON.stringify(settings, null, 2),
      '.mcp.json': JSON.stringify({ mcpServers: servers }, null, 2),
      'tools/guard.sh': 'exit 2\n',
    });
    adopt(at, { harnesses: ['claude-code'] });
    settings.hooks.PreToolUse[1]?.hooks.splice(0, 1, { type: 'command', command: 'echo other' });
    writeFileSync(join(at.from, '.claude/settings.json'), JSON.stringify(settings, null, 2));
    await deliver(at, ['claude-code'], ['.claude/settings.json', '.mcp.json']);
    const read = (path: string): unknown => JSON.parse(readTree(at.from)[path] ?? '');
    const commands = JSON.stringify(read('.claude/settings.json'));
    expect(commands).not.toContain('sh tools/guard.sh');
    expect(commands).toContain('echo other');
    expect(commands.match(/\.catalog\/hooks\//g)?.length).toBeGreaterThan(0);
    expect(read('.claude/settings.json')).toMatchObject({ permissions: settings.permissions });
    expect(read('.mcp.json')).toMatchObject({
      mcpServers: { 'My-Server': { command: 'npx' }, db: { command: 'db-mcp' } },
    });
    expect(readTree(at.from)['.mcp.json']).not.toContain('My Server');
  });
});

describe('adopt: skipped files', () => {
  test('names each skipped file with the reason', () => {
    const at = places({
      '.agents/skills/tidy/SKILL.md': SKILL,
      '.claude/rules/a.md': 'A.\n',
      'outside.md': 'O.\n',
    });
    const rules = join(at.from, '.claude/rules');
    mkdirSync(join(at.from, '.claude/skills'));
    symlinkSync('../..', join(at.from, '.claude/skills/tidy'));
    symlinkSync('/etc/passwd', join(rules, 'link.md'));
    linkSync(join(at.from, 'outside.md'), join(rules, 'hard.md'));
    execFileSync('mkfifo', [join(rules, 'pipe.md')]);
    writeFileSync(join(rules, 'latin.md'), Buffer.from([0x63, 0xe9]));
    const report = adopt(at);
    expect(report.passed_over.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '.claude/rules/hard.md', reason: 'is a hard link (one file with several names)' },
      { path: '.claude/rules/link.md', reason: 'is a link, which is not followed' },
      { path: '.claude/rules/pipe.md', reason: 'is not a regular file' },
      { path: '.claude/skills/tidy', reason: 'is a link, which is not followed' },
    ]);
    expect(outcomes(report)).toEqual(['skill tidy taken', 'rule a taken', 'rule latin left']);
  });

  test('treats links to another harness folder as copies and lists them for removal', async () => {
    const at = places({
      'CLAUDE.md': 'Use npm.\n',
      '.agents/skills/tidy/SKILL.md': SKILL,
      '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\nA.\n',
      '.env': 'TOKEN=1\n',
    });
    mkdirSync(join(at.from, '.claude/skills'), { recursive: true });
    mkdirSync(join(at.from, '.claude/commands'));
    symlinkSync('CLAUDE.md', join(at.from, 'AGENTS.md'));
    symlinkSync('../../.agents/skills/tidy', join(at.from, '.claude/skills/tidy'));
    symlinkSync('../../.env', join(at.from, '.claude/commands/env.md'));
    const harnesses = ['claude-code', 'codex'];
    const report = adopt(at, { harnesses });
    expect(outcomes(report)).toEqual(['skill tidy taken', 'rule agents-md taken']);
    expect(report.things.map(({ copies }) => copies.map(({ path }) => path))).toEqual([
      ['.claude/skills/tidy/SKILL.md', '.agents/skills/tidy/SKILL.md'],
      ['CLAUDE.md', 'AGENTS.md'],
    ]);
    expect(report.passed_over.map(({ path }) => path)).toEqual(['.claude/commands/env.md']);
    expect(report.originals.map(({ path }) => path)).toEqual([
      '.claude/skills/tidy',
      'AGENTS.md',
      'CLAUDE.md',
    ]);
    for (const { path } of report.originals) rmSync(join(at.from, path), { recursive: true });
    await deliver(at, harnesses);
    expect(Object.keys(readTree(at.from, ['.catalog', '.cursor', '.env'])).sort()).toEqual([
      '.agents/skills/tidy/SKILL.md',
      '.claude/commands/env.md',
      '.claude/skills/tidy/SKILL.md',
      'AGENTS.md',
      'CLAUDE.md',
    ]);
  });

  test('names skipped files inside a skill, and then does not name the skill folder as a whole', () => {
    const at = places({
      '.cursor/skills/tidy/SKILL.md': `${SKILL}Twice.\n`,
      '.claude/skills/tidy/SKILL.md': SKILL,
      'outside.md': 'O.\n',
    });
    const folder = join(at.from, '.cursor/skills/tidy');
    symlinkSync('SKILL.md', join(folder, 'soft.md'));
    linkSync(join(at.from, 'outside.md'), join(folder, 'hard.md'));
    const { passed_over, originals } = adopt(at, { harnesses: ['claude-code', 'cursor'] });
    expect(passed_over).toEqual([
      {
        path: '.cursor/skills/tidy/hard.md',
        reason: 'is a hard link (one file with several names)',
      },
      { path: '.cursor/skills/tidy/soft.md', reason: 'is a link, which is not followed' },
    ]);
    expect(originals).toEqual([{ path: '.cursor/skills/tidy/SKILL.md', entries: null }]);
  });

  test('does not follow a link that replaces a whole folder', () => {
    const outside_folder = temporaryFolder();
    writeTree(outside_folder, { 'rules/a.md': 'A.\n' });
    const at = places({});
    symlinkSync(outside_folder, join(at.from, '.claude'));
    const { things, passed_over } = adopt(at);
    expect(things).toEqual([]);
    expect(passed_over).toEqual([{ path: '.claude', reason: 'is a link, which is not followed' }]);
  });

  test('reads scripts of hooks only inside the workspace', () => {
    const command = 'sh ../outside.sh; sh tools/in.sh';
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
    const at = places({
      '.claude/settings.json': JSON.stringify({ hooks }),
      'tools/in.sh': 'in\n',
      '../outside.sh': 'out\n',
    });
    expect(adopt(at).files.filter((path) => path.endsWith('.sh'))).toEqual([
      'hooks/stop-outside/scripts/in.sh',
    ]);
  });
});
