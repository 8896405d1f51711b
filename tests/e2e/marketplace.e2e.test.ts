import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitRepository } from '@catalog/testkit/git-repository';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { hasTerminal, runInTerminal } from './terminal.ts';
import { openWorkspace, OPS, type Workspace } from './workspace.ts';

const PLUGINS = 'plugins: [{name: ops, include: ["ops/**"]}]';

function openMarket(more = ''): Workspace {
  const workspace = openWorkspace(OPS);
  writeTree(workspace.root, {
    'publish.yaml': `defaults: {registry: ${workspace.registry}}
targets:
  - id: first
    kind: marketplace
    target: ./first
    harness: [harness-a, harness-f]
    ${PLUGINS}
    workflow:
      prepare: [{sh: 'echo prepare >> ../order; ls -A >> ../order'}]
      publish: [{sh: 'echo publish >> ../order; ls -A >> ../order'}${more}]
  - {id: second, kind: marketplace, target: ./second, harness: harness-i, ${PLUGINS}}
`,
  });
  return workspace;
}

describe('catalog sync --config', () => {
  verifies('CLI-05', 'prepares, renders and publishes every target of a file', async () => {
    const workspace = openMarket();
    const { stdout } = await workspace.ok('sync --config publish.yaml --trust');
    expect(readFileSync(join(workspace.root, 'order'), 'utf8').split('\n')).toEqual([
      'prepare',
      '.catalog',
      'publish',
      '.agents',
      '.catalog',
      '.harness-a-plugin',
      'harness-a',
      'harness-f',
      '',
    ]);
    expect(stdout).toMatch(/^first: harness-a,harness-f {2}\d+ added in first\b/m);
    expect(stdout).toMatch(/^ {2}publish: echo publish .* \(done\)$/m);
    expect(stdout).toMatch(/^second: harness-i {11}\d+ added in second\b/m);
    expect(existsSync(join(workspace.root, 'second/skills/check/SKILL.md'))).toBe(true);
  });

  verifies('CFG-06', 'renders several harnesses and plugins with an identity', async () => {
    const workspace = openWorkspace(OPS);
    writeTree(workspace.root, {
      'publish.yaml': `defaults: {registry: ${workspace.registry}}
targets:
  - id: market
    kind: marketplace
    target: ./market
    harness: [harness-a, harness-d]
    ${PLUGINS}
    identity: Release robot
    workflow: {publish: [{sh: 'echo "$CATALOG_IDENTITY" > ../who'}]}
`,
    });
    await workspace.ok('sync --config publish.yaml --trust');
    for (const manifest of ['.harness-a-plugin', '.harness-d-plugin']) {
      const path = join(workspace.root, 'market', manifest, 'marketplace.json');
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
        plugins: [{ name: 'ops' }],
      });
    }
    expect(readFileSync(join(workspace.root, 'who'), 'utf8')).toBe('Release robot\n');
  });

  verifies('CFG-07', 'accepts exactly one of run and sh for a command', async () => {
    const workspace = openWorkspace(OPS);
    const configure = (command: string): void =>
      writeTree(workspace.root, {
        'publish.yaml': `defaults: {registry: ${workspace.registry}}
targets:
  - {id: market, kind: marketplace, target: ./market, harness: harness-a, ${PLUGINS}, workflow: {publish: [${command}]}}
`,
      });
    for (const command of ['{run: [touch, ../ran]}', "{sh: 'touch ../shelled'}"]) {
      configure(command);
      await workspace.ok('sync --config publish.yaml --trust');
    }
    expect(existsSync(join(workspace.root, 'ran'))).toBe(true);
    expect(existsSync(join(workspace.root, 'shelled'))).toBe(true);
    for (const command of ["{run: [touch, ../a], sh: 'touch ../b'}", '{timeout: 5s}']) {
      configure(command);
      const { error } = await workspace.error('sync --config publish.yaml --trust');
      expect(error.code).toBe('config.invalid');
    }
    expect(existsSync(join(workspace.root, 'a'))).toBe(false);
  });

  test('reports a plugin that selects no artifact', async () => {
    const workspace = openWorkspace(OPS);
    writeTree(workspace.root, {
      'publish.yaml': `defaults: {registry: ${workspace.registry}}
targets:
  - {id: only, kind: marketplace, target: ./only, harness: harness-a, plugins: [{name: opps, include: ['opps/**']}]}
`,
    });
    const { stdout } = await workspace.ok('sync --config publish.yaml');
    expect(stdout).toContain('warning plugin:opps: the pattern opps/** matches no artifact');
    expect(stdout).not.toContain('--include');
  });

  test('continues after a failure, names the failed target, and exits with 1', async () => {
    const workspace = openMarket(", {sh: 'echo no luck; exit 3'}");
    const run = await workspace.run('sync --config publish.yaml --trust');
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(
      /^failed first: first: publish: `echo no luck; exit 3` exited with 3/m,
    );
    expect(run.stdout).toMatch(/^second: /m);
    expect(run.stderr).toContain('no luck');
    expect(run.stderr).toMatch(/^error: Failed: first\.$/m);
    const { code, document } = await workspace.json('sync --config publish.yaml');
    expect(code).toBe(1);
    expect(document).toMatchObject({
      error: { code: 'materialize.publish_failed', details: { targets: ['first'] } },
      targets: [{ target: 'first', error: { code: 'materialize.publish_failed' } }, {}],
    });
  });

  test('runs nothing from an untrusted file', async () => {
    const workspace = openMarket();
    const { code, error } = await workspace.error('sync --config publish.yaml');
    expect({ code, error: error.code }).toEqual({ code: 2, error: 'config.untrusted' });
    expect(existsSync(join(workspace.root, 'order'))).toBe(false);
    expect((await workspace.run('sync --config publish.yaml --check')).code).toBe(1);
    expect(existsSync(join(workspace.root, 'first'))).toBe(false);
  });

  test.runIf(hasTerminal)('prompts for trust in a terminal', async () => {
    const workspace = openMarket();
    const question = { to: /Trust it\?/, keys: 'y' };
    const { screen, code } = await runInTerminal('sync --config publish.yaml', [question], {
      cwd: workspace.root,
      home: workspace.home,
    });
    expect(code).toBe(0);
    expect(screen).toContain('first: prepare: echo prepare >> ../order');
    await workspace.ok('sync --config publish.yaml');
  });

  test('pushes the rendered files', async () => {
    const workspace = openWorkspace(OPS);
    const remote = createGitRepository(join(workspace.home, 'market.git'));
    const publish = `publish: {git: {remote: ${remote.path}, author: Ann <ann@example.com>}}`;
    writeTree(workspace.root, {
      '.catalog/sync.yaml': `defaults: {registry: ${workspace.registry}}
targets: [{id: market, kind: marketplace, target: ./market, harness: harness-a, ${PLUGINS}, ${publish}}]
`,
    });
    const { stderr } = await workspace.ok('sync');
    expect(stderr).toContain('Skipped marketplaces: market');
    await workspace.ok('sync --config --trust');
    expect(remote.git('log', '--format=%s', 'main')).toMatch(/^market: \d+ added$/);
    await workspace.ok('sync --config');
    expect(remote.git('rev-list', '--count', 'main')).toBe('1');
    await workspace.ok('sync --config --remove');
    expect(existsSync(join(workspace.root, 'market/harness-a'))).toBe(false);
  });
});

verifies('ERR-26', 'sync rejects --watch together with a marketplace', async () => {
  const workspace = openMarket();
  const { code, error } = await workspace.error('sync --config publish.yaml --watch');
  expect({ code, error: error.code }).toEqual({ code: 2, error: 'config.invalid' });
});
