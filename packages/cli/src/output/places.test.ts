import { describe, expect, test } from 'vitest';
import { relativePath, shortenPaths, shortPath, shortRegistry } from './places.ts';

const HERE = { cwd: '/home/me/work', home: '/home/me' };

test.each([
  ['/home/me/work', '.', ''],
  ['/home/me/work/a/b', 'a/b', 'a/b'],
  ['/home/me/work/..a', '..a', '..a'],
  ['/home/me/workshop', '~/workshop', '/home/me/workshop'],
  ['/home/me/other', '~/other', '/home/me/other'],
  ['/home/me', '~', '/home/me'],
  ['/home/meg', '/home/meg', '/home/meg'],
  ['/opt', '/opt', '/opt'],
])('%s is shown as %s to a person and as %j to a program', (path, short, relative) => {
  expect(shortPath(path, HERE)).toBe(short);
  expect(relativePath(path, HERE.cwd)).toBe(relative);
});

test('a registry is counted from where it was named; an address is itself', () => {
  expect(shortRegistry('../reg', '/home/me/work/out', HERE)).toBe('reg');
  expect(shortRegistry('/opt/reg', '/home/me/work', HERE)).toBe('/opt/reg');
  expect(shortRegistry('https://host/reg', '/home/me/work', HERE)).toBe('https://host/reg');
});

describe('a message', () => {
  test.each([
    ['/home/me/work/a.yaml:2:3: unknown key.', 'a.yaml:2:3: unknown key.'],
    ['Between /home/me/work/a and /home/me/b.', 'Between a and ~/b.'],
    ['Files in /home/me/work are in the way.', 'Files in ~/work are in the way.'],
    ['Run `init --registry /home/me/b` in /home/me/work.', 'Run `init --registry ~/b` in ~/work.'],
    ['write --config=/home/me/work/a', 'write --config=a'],
    ['("/home/me/work/a b")', '("a b")'],
    // A person may paste it, and a shell leaves `~` alone between quotes.
    ["--registry '/home/me/my skills'", "--registry '/home/me/my skills'"],
    ['/mnt/home/me/work/a is another place', '/mnt/home/me/work/a is another place'],
    ['/home/me/workshop/a', '~/workshop/a'],
  ])('%j reads %j', (text, shown) => {
    expect(shortenPaths(text, HERE)).toBe(shown);
  });

  test('stays as it is for someone who stands at the root', () => {
    const text = '/etc/a and https://host/b';
    expect(shortenPaths(text, { cwd: '/', home: '/' })).toBe(text);
  });
});
