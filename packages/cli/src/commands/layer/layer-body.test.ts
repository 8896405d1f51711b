import { expect, test } from 'vitest';
import { toLayerBody, type LayerFlags } from './layer-body.ts';

const REMOTE = 'https://catalog.example.com';
const SESSION = { cwd: '/work', home: '/home/ann' };

function pathFor(folder: string, registry: string): string | undefined {
  const flags: LayerFlags = {
    ref: undefined,
    root: undefined,
    'local-path': folder,
    owner: undefined,
    public: undefined,
    organization: undefined,
    group: undefined,
    user: undefined,
    'git-provider': undefined,
    'force-push-policy': undefined,
  };
  return toLayerBody(flags, registry, SESSION).local_path;
}

test.each([
  ['skills', '/work/skills'],
  ['~/skills', '/home/ann/skills'],
  ['/srv/skills', '/srv/skills'],
])('resolves the relative --local-path %s for a registry on this machine', (folder, expected) => {
  expect(pathFor(folder, 'http://127.0.0.1:8080')).toBe(expected);
});

test('sends an absolute --local-path unchanged to a registry on another machine', () => {
  expect(pathFor('/srv/skills', REMOTE)).toBe('/srv/skills');
});

test.each(['skills', './skills', '../skills', '~/skills'])(
  'rejects the relative --local-path %s for a registry on another machine',
  (folder) => {
    expect(() => pathFor(folder, REMOTE)).toThrow('must be an absolute path on the machine of');
  },
);
