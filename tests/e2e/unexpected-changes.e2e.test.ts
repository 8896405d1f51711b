import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLock } from '@catalog/consumer/lock/read-lock';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { replaceRegistry } from '@catalog/testkit/replaced-registry';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { connectHost, openProject } from './mcp-host.ts';
import { until } from './until.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

function check(version: string, body: string): FileTree {
  return {
    'ops/check/ARTIFACT.md': `---\ntype: skill\nversion: ${version}\n---\n`,
    'ops/check/SKILL.md': `---\nname: check\ndescription: Checks a release before it ships.\n---\n${body}\n`,
  };
}

const HASH = 'sha256:[0-9a-f]{64}';

function bodyIn(root: string): string | undefined {
  const path = join(root, '.claude/skills/check/SKILL.md');
  return readFileSync(path, 'utf8').split('\n').at(-2);
}

/** Starts a registry whose content of 1.0.0 changed after the workspace synced it. */
async function startRewritten(workspace: Workspace): Promise<string> {
  const first = await startRegistry({ keep: true, layers: { base: check('1.0.0', 'One.') } });
  await workspace.ok(`sync --harness claude-code --registry ${first.url}`);
  const { url } = await replaceRegistry(first, { layers: { base: check('1.0.0', 'Another.') } });
  return `--harness claude-code --registry ${url}`;
}

/** Starts a registry that ingested a lower version after the workspace synced 2.0.0. */
async function startDowngraded(
  workspace: Workspace,
): Promise<{ server: RegistryServer; flags: string }> {
  const server = await startRegistry({ layers: { base: check('2.0.0', 'Two.') } });
  const flags = `--harness claude-code --registry ${server.url}`;
  await workspace.ok(`sync ${flags}`);
  await server.ingest(check('1.9.1', 'Back-port.'));
  return { server, flags };
}

describe('content that a registry changed under a locked version', () => {
  test('is rejected by every command that would install it', async () => {
    const workspace = openWorkspace();
    const flags = await startRewritten(workspace);
    const lock = readFileSync(join(workspace.root, '.catalog/sync.lock'), 'utf8');
    for (const command of [
      'sync',
      'sync --check',
      'sync --dry-run',
      'update',
      'update ops/check',
    ]) {
      const { code, stderr } = await workspace.run(`${command} ${flags}`);
      expect(code, command).toBe(1);
      expect(stderr, command).toMatch(
        new RegExp(`ops/check 1\\.0\\.0: content hash was ${HASH}, is now ${HASH}`),
      );
      expect(stderr, command).toContain('code: materialize.content_changed');
      expect(stderr, command).toContain('pass `--accept-changed ops/check` to `catalog sync`');
    }
    expect(bodyIn(workspace.root)).toBe('One.');
    expect(readFileSync(join(workspace.root, '.catalog/sync.lock'), 'utf8')).toBe(lock);
    const status = await workspace.ok(`status ${flags}`);
    expect(status.stdout).toContain('--accept-changed ops/check');
  });

  test.each(['sync', 'update', 'update ops/check'])(
    'is accepted by %s, which shows both hashes',
    async (command) => {
      const workspace = openWorkspace();
      const flags = await startRewritten(workspace);
      const [before] = loadLock(workspace.root).artifacts;
      const { stdout } = await workspace.ok(`${command} ${flags} --accept-changed ops/check`);
      const [after] = loadLock(workspace.root).artifacts;
      expect(stdout).toContain(
        `accepted ops/check 1.0.0: content hash was ${before?.content_hash}, is now ${after?.content_hash}`,
      );
      expect(after?.content_hash).not.toBe(before?.content_hash);
      expect(bodyIn(workspace.root)).toBe('Another.');
      expect((await workspace.ok(`sync ${flags}`)).stdout).not.toContain('accepted');
    },
  );

  test('is shown by outdated, with the next step', async () => {
    const workspace = openWorkspace();
    const flags = await startRewritten(workspace);
    const { code, stdout } = await workspace.run(`outdated ${flags}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ops\/check +1\.0\.0 +1\.0\.0 \(rewritten\) +default$/m);
    expect(stdout).toMatch(new RegExp(`refused ops/check 1\\.0\\.0: .*${HASH}, is now ${HASH}`));
    expect(stdout).toContain('Next: Ask the owner of the registry why published content changed.');
    expect(stdout).not.toContain('to update all');
    const { document } = await workspace.json(`outdated ${flags}`);
    expect(document).toMatchObject({
      outdated: [
        {
          id: 'ops/check',
          change: 'rewritten',
          unexpected: {
            locked_hash: expect.stringMatching(HASH),
            available_hash: expect.stringMatching(HASH),
            refused: true,
          },
        },
      ],
    });
  });

  test('is reported by --watch, which continues and installs the next version', async () => {
    const workspace = openWorkspace();
    const first = await startRegistry({ keep: true, layers: { base: check('1.0.0', 'One.') } });
    const flags = `--harness claude-code --registry ${first.url}`;
    await workspace.ok(`sync ${flags}`);
    const second = await replaceRegistry(first, { layers: { base: check('1.0.0', 'Another.') } });
    const running = workspace.start(`sync --watch ${flags}`);
    await running.waitFor('stderr', /code: materialize\.content_changed/);
    await running.waitFor('stderr', /Watching http/);
    expect(bodyIn(workspace.root)).toBe('One.');
    await second.ingest(check('1.1.0', 'Released.'));
    await until('the next version', () =>
      bodyIn(workspace.root) === 'Released.' ? true : undefined,
    );
  });

  test('cannot be accepted for all future runs of --watch', async () => {
    const workspace = openWorkspace();
    for (const flag of ['--accept-changed ops/check', '--allow-downgrade']) {
      const { error, code } = await workspace.error(`sync --watch ${flag}`);
      expect(error.code).toBe('config.usage');
      expect(code).toBe(2);
    }
  });
});

describe('a lower version that a registry offers', () => {
  test('is rejected unless the user allows it', async () => {
    const workspace = openWorkspace();
    const { flags } = await startDowngraded(workspace);
    for (const command of ['sync', 'sync --check', 'sync --dry-run', 'update ops/check']) {
      const { code, stderr } = await workspace.run(`${command} ${flags}`);
      expect(code, command).toBe(1);
      expect(stderr, command).toContain('ops/check: version was 2.0.0, is now 1.9.1');
      expect(stderr, command).toContain('code: materialize.downgrade_refused');
      expect(stderr, command).toContain('pass `--allow-downgrade` to `catalog sync`');
    }
    expect(bodyIn(workspace.root)).toBe('Two.');
    const outdated = await workspace.run(`outdated ${flags}`);
    expect(outdated.stdout).toMatch(/^ops\/check +2\.0\.0 +1\.9\.1 \(downgrade\) +default$/m);
    expect(outdated.stdout).toContain('refused ops/check: version was 2.0.0, is now 1.9.1');
    const { stdout } = await workspace.ok(`sync ${flags} --allow-downgrade`);
    expect(stdout).toContain('accepted ops/check: version was 2.0.0, is now 1.9.1');
    expect(bodyIn(workspace.root)).toBe('Back-port.');
  });
});

describe('load_artifact', () => {
  test('rejects changed content, with the next step for the user', async () => {
    const first = await startRegistry({ keep: true, layers: { base: check('1.0.0', 'One.') } });
    const project = openProject({ '.catalog/sync.yaml': 'defaults: {}\n' });
    const env = { CATALOG_REGISTRY: `${first.url}/`, CATALOG_HARNESS: 'claude-code' };
    const host = await connectHost({ ...project, env });
    const loaded = await host.call('load_artifact', { id: 'ops/check' });
    expect(loaded.isError, JSON.stringify(loaded)).not.toBe(true);
    const second = await replaceRegistry(first, { layers: { base: check('1.0.0', 'Another.') } });
    const refused = await host.call('load_artifact', { id: 'ops/check' });
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toMatchObject({
      code: 'materialize.content_changed',
      suggested_action: expect.stringContaining('`catalog sync --release=ops/check`'),
    });
    expect(bodyIn(project.root)).toBe('One.');
    await second.ingest(check('2.0.0', 'Two.'));
    await host.call('load_artifact', { id: 'ops/check' });
    expect(bodyIn(project.root)).toBe('Two.');
    await second.ingest(check('1.9.1', 'Back-port.'));
    const lower = await host.call('load_artifact', { id: 'ops/check' });
    expect(lower.structuredContent).toMatchObject({
      code: 'materialize.downgrade_refused',
      details: { changes: [{ locked_status: 'listed' }] },
    });
    expect(bodyIn(project.root)).toBe('Two.');
    await host.call('load_artifact', { id: 'ops/check', version: '1.9.1' });
    expect(bodyIn(project.root)).toBe('Back-port.');
  });
});
