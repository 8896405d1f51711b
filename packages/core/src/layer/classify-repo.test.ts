import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyRepo, isHostPath } from './classify-repo.ts';

describe('classifyRepo of network endpoints', () => {
  test.each([
    [
      'https://git.example.com/team/skills.git',
      'https',
      'git.example.com',
      443,
      '/team/skills.git',
    ],
    ['https://GIT.example.com:8443/a', 'https', 'git.example.com', 8443, '/a'],
    ['http://127.0.0.1:3000/a.git', 'http', '127.0.0.1', 3000, '/a.git'],
    ['https://[2001:db8::1]/a', 'https', '2001:db8::1', 443, '/a'],
    ['https://2130706433/a', 'https', '127.0.0.1', 443, '/a'],
    ['https://0x7f.1/a', 'https', '127.0.0.1', 443, '/a'],
    ['ssh://git@git.example.com:2222/~team/a', 'ssh', 'git.example.com', 2222, '/~team/a'],
    ['git+ssh://git.example.com/a', 'ssh', 'git.example.com', 22, '/a'],
    ['git@git.example.com:team/skills.git', 'ssh', 'git.example.com', 22, 'team/skills.git'],
    ['git.example.com:team/skills.git', 'ssh', 'git.example.com', 22, 'team/skills.git'],
    ['git@[::1]:a', 'ssh', '::1', 22, 'a'],
    ['git://git.example.com/a', 'git', 'git.example.com', 9418, '/a'],
  ])('parses %s', (repo, scheme, host, port, path) => {
    expect(classifyRepo(repo)).toMatchObject({ kind: 'network', scheme, host, port, path });
  });

  test('reports that the URL contains a secret, but never the secret', () => {
    const place = classifyRepo('https://someone:hunter2@git.example.com/a');
    expect(place).toMatchObject({ user: 'someone', has_password: true });
    expect(JSON.stringify(place)).not.toContain('hunter2');
  });
});

describe('classifyRepo of paths on the host', () => {
  test.each([
    '',
    '/srv/git/skills.git',
    './skills',
    '../skills',
    'skills',
    '~/skills',
    './a:b',
    '/a:b',
    'dir/host:path',
    'file:///srv/git',
    'FILE:///srv/git',
    'c:\\repo',
    'c:repo',
    'ext::sh -c id',
    'ext::id',
    'fd::17',
    'http::https://git.example.com/a',
    'ftp://git.example.com/a',
    'gopher://git.example.com/a',
    'htps://git.example.com/a',
    'https:///etc/passwd',
    'https://',
    'https://git.example.com/a?service=x',
    'https://git.example.com/a#b',
    'https://git.example.com/a b',
    'https://git.example.com\\@127.0.0.1/a',
    'https://git.example.com/a\nb',
    'ssh://-oProxyCommand=id/a',
    'ssh://-oProxyCommand@host/a',
    '-oProxyCommand=id:a',
    '--upload-pack=id',
    'git@-host:a',
    'git@host:-a',
    'git@host:a;id',
    'git@host:$(id)',
    'git@host:`id`',
    "git@host:a'b",
    'https://git.example.com/$(id)',
    'git@gi\u0442.example.com:a',
  ])('classifies %j as a host path', (repo) => {
    expect(classifyRepo(repo)).toEqual({ kind: 'host_path' });
  });
});

test('accepts any string and never treats one that starts like an option as a network endpoint', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (repo) => {
      expect(typeof isHostPath(repo)).toBe('boolean');
      expect(isHostPath(`-${repo}`)).toBe(true);
    }),
  );
});
