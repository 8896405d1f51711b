import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGitRepository, type GitRepository } from '@catalog/testkit/git-repository';
import { startGitServer } from '@catalog/testkit/git-server';
import { readTree } from '@catalog/testkit/temporary-folder';
import {
  createMarketplacePlace,
  skillOf,
  targetOf,
  type MarketplacePlace,
} from '@catalog/testkit/marketplace-place';
import { loadConfig } from '../config/load-config.ts';
import { runSync } from '../sync/run-sync.ts';

interface Published extends MarketplacePlace {
  remote: GitRepository;
}

function publishTo(url: string, more = ''): string {
  return `    publish: {git: {remote: "${url}", author: "Ann Author <ann@example.com>"${more}}}\n`;
}

function createPublished(files = skillOf('check')): Published {
  const place = createMarketplacePlace(files);
  const remote = createGitRepository(`${place.root}/market.git`);
  place.configure(targetOf(publishTo(`file://${remote.path}`)));
  return { ...place, remote };
}

function published({ remote }: Published, branch = 'main'): string[] {
  return remote.git('ls-tree', '-r', '--name-only', branch).split('\n');
}

function messages({ remote }: Published): string[] {
  return remote
    .git('log', '--format=%B%x00', 'main')
    .split('\0')
    .map((text) => text.trim());
}

describe('publishing with git', () => {
  test('pushes one commit with a list of changes into an empty repository', async () => {
    const place = createPublished();
    const report = await place.run();
    expect(report.error).toBeUndefined();
    expect(report.marketplace).toMatchObject({
      commit: place.remote.git('rev-parse', 'main'),
      steps: [{ step: 'git', outcome: 'done' }],
    });
    expect(published(place)).toEqual([
      '.catalog/sync.lock',
      '.harness-a-plugin/marketplace.json',
      'harness-a/ops/.harness-a-plugin/plugin.json',
      'harness-a/ops/skills/check/SKILL.md',
    ]);
    expect(messages(place)[0]).toBe('acme: 1 added\n\nadded ops/check 1.0.0');
    expect(place.remote.git('log', '--format=%an <%ae> %cn', 'main')).toBe(
      'Ann Author <ann@example.com> Ann Author',
    );
  });

  test('pushes nothing if nothing changed', async () => {
    const place = createPublished();
    await place.run();
    const again = await place.run();
    expect(again.marketplace?.commit).toBeUndefined();
    expect(again.marketplace?.steps).toMatchObject([{ step: 'git', outcome: 'skipped' }]);
    expect(place.remote.git('rev-list', '--count', 'main')).toBe('1');
  });

  test('lists added, changed and removed artifacts with their versions', async () => {
    const place = createPublished({ ...skillOf('check'), ...skillOf('old', '2.0.0') });
    await place.run();
    rmSync(`${place.root}/registry/ops/old`, { recursive: true });
    place.author({ ...skillOf('check', '1.1.0'), ...skillOf('new') });
    await place.run();
    expect(messages(place)[0]).toBe(
      'acme: 1 added, 1 changed, 1 removed\n\nchanged ops/check 1.0.0 -> 1.1.0\nadded ops/new 1.0.0\nremoved ops/old 2.0.0',
    );
    expect(published(place)).not.toContain('harness-a/ops/skills/old/SKILL.md');
  });

  test('continues from the published commit in a new folder, as in CI', async () => {
    const place = createPublished({ ...skillOf('check'), ...skillOf('old') });
    await place.run();
    place.remote.commit({ 'README.md': 'By hand.\n' });
    rmSync(place.market, { recursive: true });
    rmSync(`${place.root}/registry/ops/old`, { recursive: true });
    const report = await place.run();
    expect(report.moved).toEqual([{ id: 'ops/old', from: '1.0.0', to: undefined }]);
    expect(published(place)).toContain('README.md');
    expect(published(place)).not.toContain('harness-a/ops/skills/old/SKILL.md');
    expect(readTree(place.market, ['.git', '.catalog'])).toHaveProperty(
      ['README.md'],
      'By hand.\n',
    );
  });

  test('commits only rendered files, even if others are present or staged', async () => {
    const place = createPublished();
    await place.run();
    writeFileSync(`${place.market}/notes.txt`, 'mine');
    writeFileSync(`${place.market}/.gitignore`, 'skills/\n');
    expect(spawnSync('git', ['add', 'notes.txt'], { cwd: place.market }).status).toBe(0);
    place.author(skillOf('new'));
    await place.run();
    expect(published(place)).toContain('harness-a/ops/skills/new/SKILL.md');
    expect(published(place)).not.toContain('notes.txt');
    expect(published(place)).not.toContain('.gitignore');
  });

  test('does not publish files that a plain sync delivered into its folder', async () => {
    const place = createPublished();
    await place.run();
    const plain = loadConfig({
      cwd: place.work,
      home: `${place.root}/home`,
      env: { CATALOG_REGISTRY: `${place.root}/registry` },
      flags: { harness: 'harness-e', target: place.market },
    });
    await runSync(plain, { mode: 'sync' });
    place.author(skillOf('new'));
    await place.run();
    expect(published(place)).toContain('harness-a/ops/skills/new/SKILL.md');
    expect(published(place).filter((path) => path.startsWith('.harness-e'))).toEqual([]);
    expect(place.tree()).toHaveProperty(['.harness-e/skills/check/SKILL.md']);
  });

  test('pushes a commit that an earlier run failed to push', async () => {
    const place = createPublished();
    await place.run();
    place.author(skillOf('new'));
    const hook = `${place.remote.path}/hooks/pre-receive`;
    writeFileSync(hook, '#!/bin/sh\necho closed for today >&2\nexit 1\n', { mode: 0o755 });
    const refused = await place.run();
    expect(refused.error).toMatchObject({
      code: 'materialize.publish_failed',
      message: expect.stringContaining('closed for today'),
    });
    expect(refused.marketplace?.steps).toMatchObject([{ step: 'git', outcome: 'failed' }]);
    rmSync(hook);
    expect((await place.run()).marketplace?.commit).toBe(place.remote.git('rev-parse', 'main'));
    expect(messages(place)[0]).toBe('acme: 1 added\n\nadded ops/new 1.0.0');
  });

  test('rejects a diverged branch with advice', async () => {
    const place = createPublished();
    await place.run();
    place.remote.commit({ 'README.md': 'Rewritten.\n' }, { parents: [], orphan: true });
    const report = await place.run();
    expect(report.error).toMatchObject({
      message: expect.stringContaining('have diverged'),
      suggested_action: expect.stringContaining('move that folder away'),
    });
    rmSync(place.market, { recursive: true });
    expect((await place.run()).error).toBeUndefined();
    expect(published(place)).toContain('README.md');
  });

  test('does not overwrite files in a folder that was not a repository', async () => {
    const place = createPublished();
    place.remote.commit({ 'README.md': 'Theirs.\n' });
    mkdirSync(place.market);
    writeFileSync(`${place.market}/README.md`, 'Mine.\n');
    const report = await place.run();
    expect(report.error?.message).toContain('README.md');
    expect(place.tree()).toEqual({ 'README.md': 'Mine.\n' });
  });

  test('uses the branch and the commit subject of the target', async () => {
    const place = createPublished();
    const to = publishTo(`file://${place.remote.path}`, ', branch: release');
    const message = '    commit_message: "{{.OutputID}}: {{.ChangedCount}} new"\n';
    place.configure(targetOf(to + message));
    await place.run();
    expect(place.remote.git('log', '--format=%s', 'release')).toBe('acme: 1 new');
  });

  test('does not use a repository in a parent folder', async () => {
    const place = createPublished();
    const outer = createGitRepository(`${place.work}/.git`);
    outer.git('config', 'core.bare', 'false');
    await place.run();
    expect(existsSync(`${place.market}/.git`)).toBe(true);
    expect(outer.git('rev-list', '--all', '--count')).toBe('0');
  });

  test('runs no program from a remote URL', () => {
    const place = createPublished();
    place.configure(targetOf(publishTo('ext::sh -c touch% ran')));
    expect(() => place.config()).toThrow(/which is not a URL/);
  });
});

describe('publishing over http', () => {
  test("uses git's credential helper, and never prints a password", async () => {
    const place = createMarketplacePlace();
    const auth = { username: 'ann', password: 's3cret' };
    const server = await startGitServer(`${place.root}/served`, { auth });
    onTestFinished(() => server.close());
    const remote = server.addRepository('market.git');
    remote.git('config', 'http.receivepack', 'true');
    place.configure(targetOf(publishTo(remote.url)));
    const refused = await place.run();
    expect(refused.error).toMatchObject({
      code: 'materialize.publish_failed',
      suggested_action: expect.stringContaining('credential helpers'),
    });
    const helper = `${place.root}/gitconfig`;
    writeFileSync(
      helper,
      '[credential]\n\thelper = "!f() { echo username=ann; echo password=s3cret; }; f"\n',
    );
    const env = {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_GLOBAL: helper,
      GIT_CONFIG_NOSYSTEM: '1',
    };
    const report = await place.run({ marketplaces: { env } });
    expect(report.error).toBeUndefined();
    expect(report.marketplace?.commit).toBe(remote.git('rev-parse', 'main'));
    const withPassword = remote.url.replace('http://', 'http://ann:wr0ng@');
    place.configure(targetOf(publishTo(withPassword)));
    expect(JSON.stringify(await place.run())).not.toContain('wr0ng');
  });
});
