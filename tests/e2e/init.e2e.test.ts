import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { hasTerminal, runInTerminal } from './terminal.ts';
import { openWorkspace, OPS, skill } from './workspace.ts';

function settingsOf(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/^#.*\n/gm, '');
}

describe('catalog init', () => {
  verifies('CLI-01', 'writes the registry and the harness as defaults', async () => {
    const { root, registry, ok, json } = openWorkspace(OPS);
    await ok(`init --registry ${registry} --harness harness-a`);
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toBe(
      `defaults:\n  registry: ${registry}\n  harness: harness-a\n`,
    );
    const { document } = await json('config show');
    expect(document['values']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'defaults.registry', value: registry }),
        expect.objectContaining({ key: 'defaults.harness', value: 'harness-a' }),
      ]),
    );
    const { stdout } = await ok('sync');
    expect(stdout).toMatch(/^harness-a {2}\d+ added$/m);
  });

  test('accepts several harnesses, and the next sync installs for each', async () => {
    const { root, registry, ok } = openWorkspace(skill('ops/check'));
    await ok(`init --registry ${registry} --harness claude-code,cursor,codex,gemini-cli,opencode`);
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toBe(
      `defaults:\n  registry: ${registry}\n  harness: [claude-code, cursor, codex, gemini-cli, opencode]\n`,
    );
    const { stdout } = await ok('sync');
    expect(stdout.match(/^[\w-]+(?= +\d+ added)/gm)).toEqual([
      'claude-code',
      'cursor',
      'codex',
      'gemini-cli',
      'opencode',
    ]);
    expect((await ok('status')).stdout).toContain('Up to date');
  });

  test('rejects an unknown harness in a list, and the URL of a repository', async () => {
    const { root, error } = openWorkspace();
    const harness = await error('init --registry ./artifacts --harness claude-code,gemini');
    expect(harness.error.message).toContain('Did you mean gemini-cli?');
    const repository = await error('init --registry git@host.example:a/b.git');
    expect(repository.error.code).toBe('config.no_registry');
    expect(existsSync(join(root, '.catalog'))).toBe(false);
  });

  test('accepts a server URL as well as a folder', async () => {
    const { root, ok } = openWorkspace();
    await ok('init --registry https://catalog.example/a?b=c#d --harness none');
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toBe(
      'defaults:\n  registry: "https://catalog.example/a?b=c#d"\n  harness: none\n',
    );
  });

  verifies('CLI-02', 'writes the user file with --global --standalone', async () => {
    const { root, home, ok, json } = openWorkspace();
    await ok('init --global --standalone');
    expect(settingsOf(join(home, '.catalog/sync.yaml'))).toBe(
      'defaults:\n  registry: http://127.0.0.1:8080\n',
    );
    expect(existsSync(join(root, '.catalog'))).toBe(false);
    const { document } = await json('config show --explain defaults.registry');
    expect(document).toMatchObject({
      value: 'http://127.0.0.1:8080',
      origin: { kind: 'user', name: join(home, '.catalog/sync.yaml') },
    });
  });

  test('writes an absolute path to the user file', async () => {
    const { root, home, ok } = openWorkspace();
    await ok('init --global --registry ./here');
    expect(settingsOf(join(home, '.catalog/sync.yaml'))).toContain(`registry: ${root}/here`);
  });

  test.each([
    ['a folder under home', '$home/skills', '~/skills'],
    ['home itself', '$home', '"~"'],
    ['a folder of the workspace', '$root/skills', './skills'],
    ['the workspace', '$root', '.'],
    ['a folder typed relative', '../skills', '../skills'],
    ['a folder elsewhere', '/opt/skills', '/opt/skills'],
  ])('writes %s in a form that is valid on other machines', async (_, typed, written) => {
    const { root, home, ok, run } = openWorkspace();
    const folder = typed.replace('$home', home).replace('$root', root);
    const { stdout } = await ok(`init --registry ${folder} --harness none`);
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toContain(`registry: ${written}\n`);
    expect(stdout.includes('--local')).toBe(written.startsWith('/'));
    const { stdout: shown } = await run('config show --explain defaults.registry --json');
    expect(JSON.parse(shown)).toMatchObject({ value: resolve(root, folder) });
    const local = await ok(`init --local --registry ${folder} --harness none`);
    expect(local.stdout).not.toContain('use --local');
  });

  test('suggests a sync for a registry in the home folder that has artifacts', async () => {
    const { home, ok } = openWorkspace();
    writeTree(home, { 'skills/review/SKILL.md': 'Read.\n' });
    const { stdout } = await ok(`init --registry ${home}/skills`);
    expect(stdout).toContain('Next: catalog sync\n');
    await ok(`init --global --registry ${home}/skills`);
    expect(settingsOf(join(home, '.catalog/sync.yaml'))).toContain('registry: ~/skills\n');
  });

  test("excludes local files from git, and leaves the user's .gitignore unchanged", async () => {
    const { root, ok } = openWorkspace({}, { '.gitignore': 'dist/\n' });
    await ok('init --local --registry ./registry');
    expect(readFileSync(join(root, '.catalog/.gitignore'), 'utf8')).toBe(
      'sync.local.yaml\noverlay/\nkept/\n',
    );
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('dist/\n');
    expect(existsSync(join(root, '.catalog/sync.yaml'))).toBe(false);
  });

  test('replaces a file only with --force', async () => {
    const { root, ok, error } = openWorkspace();
    await ok('init --registry ./one');
    const refused = await error('init --registry ./two');
    expect([refused.error.code, refused.code]).toEqual(['config.usage', 2]);
    expect(refused.error.suggested_action).toContain('--force');
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toContain('./one');
    await ok('init --registry ./two --force');
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toContain('./two');
  });

  test('detects the only harness in use', async () => {
    const { root, ok } = openWorkspace();
    writeTree(root, { '.harness-a/settings.json': '{}\n' });
    await ok('init --registry ./registry');
    expect(settingsOf(join(root, '.catalog/sync.yaml'))).toContain('harness: harness-a');
  });

  test.each([
    [['--registry', 'a', '--standalone'], '--registry and --standalone'],
    [['--global', '--local', '--registry', 'a'], '--global and --local'],
  ])('rejects %j', async (flags, named) => {
    const { error } = openWorkspace();
    const { error: envelope } = await error(['init', ...flags]);
    expect(envelope.message).toBe(`${named} cannot be used together.`);
  });

  describe('catalog init in a terminal', () => {
    beforeEach(({ skip }) => skip(!hasTerminal, 'no `script` of util-linux to lend a terminal'));

    const registry = { to: /Registry: a folder or a server URL/, keys: './mine\r' };
    const harness = { to: /Harnesses to install into/, keys: '\r' };

    test('prompts for missing flags, and offers the harness in use first', async () => {
      const { root, home } = openWorkspace({}, { '.harness-a/settings.json': '{}\n' });
      const { screen, code } = await runInTerminal('init', [registry, harness], {
        cwd: root,
        home,
      });
      expect(code).toBe(0);
      expect(screen).toContain('in use here');
      expect(settingsOf(join(root, '.catalog/sync.yaml'))).toBe(
        'defaults:\n  registry: ./mine\n  harness: harness-a\n',
      );
    });

    test('skips the prompts if flags are given', async () => {
      const { root, home } = openWorkspace();
      const flags = 'init --registry ./mine --harness none';
      const { screen, code } = await runInTerminal(flags, [], { cwd: root, home });
      expect(code).toBe(0);
      expect(screen).not.toMatch(/Registry:|Harnesses/);
    });

    test('writes nothing if the user cancels', async () => {
      const { root, home } = openWorkspace();
      const leave = { ...registry, keys: '\u0003' };
      const { screen, code } = await runInTerminal('init', [leave], { cwd: root, home });
      expect(code).toBe(2);
      expect(screen).toContain('nothing was written');
      expect(existsSync(join(root, '.catalog'))).toBe(false);
    });
  });
});
