import { once } from 'node:events';
import type { LayerSource, ReachedLayer } from '@catalog/core/ports/layer-source';
import { describe, expect, test } from 'vitest';
import { fetchProblem } from './git/fetch-problem.ts';
import { watchGitHosts } from './watch-git-hosts.ts';

const LAYER: ReachedLayer = {
  source_type: 'git',
  id: 'team',
  repo: 'https://github.com/acme/skills',
  ref: 'main',
  root: '',
  local_path: '',
  user_defined: false,
};
const OTHER = { ...LAYER, repo: 'https://gitlab.com/acme/skills' };
const { signal } = new AbortController();
const MINUTE_MS = 60_000;

function watch() {
  let now = 0;
  let gitOutput: string | undefined;
  let hangs = false;
  let probes = 0;
  const source: LayerSource = {
    read: () => Promise.reject(new Error('not read here')),
    probe: async (_tenant, layer, within) => {
      probes += 1;
      if (hangs) await once(within, 'abort').then(() => within.throwIfAborted());
      const outcome = { status: 128, stdout: '', stderr: gitOutput ?? '', too_large: false };
      if (gitOutput !== undefined) throw fetchProblem(layer, outcome, false);
      return '0'.repeat(40);
    },
  };
  const hosts = watchGitHosts(source, () => now);
  return {
    check: (within = signal) => hosts.check(within),
    probe: (layer: ReachedLayer) => hosts.source.probe(1, layer, signal),
    hang: () => void (hangs = true),
    fail: (text: string | undefined) => void (gitOutput = text),
    pass: (ms: number) => void (now += ms),
    probes: () => probes,
  };
}

const DOWN = 'fatal: unable to access: Failed to connect to github.com port 443';

describe('check with an unresponsive git host', () => {
  test('rejects until the host responds', async () => {
    const hosts = watch();
    await expect(hosts.check()).resolves.toBeUndefined();
    hosts.fail(DOWN);
    await expect(hosts.probe(LAYER)).rejects.toThrow('did not respond');
    await expect(hosts.check()).rejects.toThrow('github.com:443 did not respond');
    hosts.fail(undefined);
    await hosts.probe(OTHER);
    await expect(hosts.check()).rejects.toThrow('github.com:443');
    await hosts.probe(LAYER);
    await expect(hosts.check()).resolves.toBeUndefined();
  });

  test('tries the host again once a minute and resolves after its recovery', async () => {
    const hosts = watch();
    hosts.fail(DOWN);
    await hosts.probe(LAYER).catch(() => undefined);
    await hosts.check().catch(() => undefined);
    expect(hosts.probes()).toBe(1);
    hosts.pass(MINUTE_MS + 1);
    await expect(hosts.check()).rejects.toThrow('did not respond');
    await expect(hosts.check()).rejects.toThrow('did not respond');
    expect(hosts.probes()).toBe(2);
    hosts.fail(undefined);
    hosts.pass(MINUTE_MS + 1);
    await expect(hosts.check()).resolves.toBeUndefined();
  });

  test('still rejects if it is canceled before the host responds', async () => {
    const hosts = watch();
    hosts.fail(DOWN);
    await hosts.probe(LAYER).catch(() => undefined);
    hosts.hang();
    hosts.pass(MINUTE_MS + 1);
    await expect(hosts.check(AbortSignal.timeout(10))).rejects.toThrow('did not respond');
    await expect(hosts.check()).rejects.toThrow('did not respond');
  });

  test('resolves if no request needed the host for an hour', async () => {
    const hosts = watch();
    hosts.fail(DOWN);
    await hosts.probe(LAYER).catch(() => undefined);
    hosts.pass(60 * MINUTE_MS + 1);
    await expect(hosts.check()).resolves.toBeUndefined();
    expect(hosts.probes()).toBe(1);
  });
});

test.each([
  ['denies access', LAYER, 'fatal: Authentication failed'],
  ['has no such repository', LAYER, 'remote: Repository not found.'],
  ['is named by a personal layer', { ...LAYER, user_defined: true }, DOWN],
  ['is the registry host itself', { ...LAYER, repo: '/srv/git/skills' }, 'timed out'],
])('check ignores a host that %s', async (_, layer, gitOutput) => {
  const hosts = watch();
  hosts.fail(gitOutput);
  await expect(hosts.probe(layer)).rejects.toThrow('Layer team');
  await expect(hosts.check()).resolves.toBeUndefined();
});
