import { classifyRepo } from '@catalog/core/layer/classify-repo';
import type { GitCredential } from '@catalog/core/ports/git-credential';
import { expect, test } from 'vitest';
import { findCredential } from './find-credential.ts';

const PASSWORD = { host: 'git.example', password: 'p' };
const KEY = { host: 'git.example', ssh_key: '/k' };
const HTTP = { ...PASSWORD, scheme: 'http' as const };

function isUsed(credential: GitCredential, repo: string): boolean {
  const place = classifyRepo(repo);
  if (place.kind === 'host_path') throw new Error(`${repo} is a path`);
  return findCredential(place, [credential]) !== undefined;
}

test.each<[GitCredential, string[]]>([
  [PASSWORD, ['https://git.example/a', 'https://GIT.example:443/a']],
  [{ ...PASSWORD, port: 8443 }, ['https://git.example:8443/a']],
  [HTTP, ['http://git.example/a', 'http://git.example:80/a']],
  [{ ...HTTP, port: 3000 }, ['http://git.example:3000/a']],
  [KEY, ['ssh://git@git.example/a', 'git@git.example:a', 'ssh://git.example:22/a']],
  [{ ...KEY, port: 2222 }, ['ssh://git@git.example:2222/a']],
])('findCredential sends %j only to its scheme, host and port', (credential, accepted) => {
  for (const repo of accepted) expect([repo, isUsed(credential, repo)]).toEqual([repo, true]);
  const all = ['https', 'http', 'ssh', 'git'].flatMap((scheme) =>
    ['', ':22', ':80', ':443', ':2222', ':3000', ':8443', ':9418'].flatMap((port) =>
      ['git.example', 'evil.example', 'git.example.evil'].map(
        (host) => `${scheme}://${host}${port}/a`,
      ),
    ),
  );
  const used = all.filter((repo) => isUsed(credential, repo));
  const endpoints = new Set(accepted.map(endpointOf));
  expect(used).toEqual(all.filter((repo) => endpoints.has(endpointOf(repo))));
  expect(used.length).toBeGreaterThan(0);
});

function endpointOf(repo: string): string {
  const place = classifyRepo(repo);
  return place.kind === 'host_path' ? '' : `${place.scheme} ${place.host} ${place.port}`;
}

test('findCredential prefers the longest matching prefix and rejects paths with `..`', () => {
  const credentials = ['', 'acme', 'acme/secret'].map((path_prefix) => ({
    ...KEY,
    path_prefix,
  }));
  const find = (path: string): string | undefined => {
    const place = classifyRepo(`git@git.example:${path}`);
    if (place.kind === 'host_path') throw new Error(`${path} is not a network path`);
    return findCredential(place, credentials)?.path_prefix;
  };
  expect(['other/a', 'acme/a', 'acme/secret/a', 'acmeX/a', '/acme//secret'].map(find)).toEqual([
    '',
    'acme',
    'acme/secret',
    '',
    'acme/secret',
  ]);
  expect(['acme/../other', 'acme/%2e%2e/other'].map(find)).toEqual([undefined, undefined]);
});
