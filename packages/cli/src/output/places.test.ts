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
])('formats %s as %s in text and as %j in JSON', (path, short, relative) => {
  expect(shortPath(path, HERE)).toBe(short);
  expect(relativePath(path, HERE.cwd)).toBe(relative);
});

test('resolves a registry folder against its base directory and keeps a URL unchanged', () => {
  expect(shortRegistry('../reg', '/home/me/work/out', HERE)).toBe('reg');
  expect(shortRegistry('/opt/reg', '/home/me/work', HERE)).toBe('/opt/reg');
  expect(shortRegistry('https://host/reg', '/home/me/work', HERE)).toBe('https://host/reg');
});

describe('shortenPaths', () => {
  test.each([
    ['/home/me/work/a.yaml:2:3: unknown key.', 'a.yaml:2:3: unknown key.'],
    ['Between /home/me/work/a and /home/me/b.', 'Between a and ~/b.'],
    ['Files in /home/me/work are in the way.', 'Files in ~/work are in the way.'],
    ['Run `init --registry /home/me/b` in /home/me/work.', 'Run `init --registry ~/b` in ~/work.'],
    ['write --config=/home/me/work/a', 'write --config=a'],
    ['("/home/me/work/a b")', '("a b")'],
    // Users paste commands, and a shell does not expand `~` in quotes.
    ["--registry '/home/me/my skills'", "--registry '/home/me/my skills'"],
    ['/mnt/home/me/work/a is another place', '/mnt/home/me/work/a is another place'],
    ['/home/me/workshop/a', '~/workshop/a'],
  ])('shortens %j to %j', (text, shown) => {
    expect(shortenPaths(text, HERE)).toBe(shown);
  });

  test('keeps a message unchanged if the working directory is the root', () => {
    const text = '/etc/a and https://host/b';
    expect(shortenPaths(text, { cwd: '/', home: '/' })).toBe(text);
  });
});
