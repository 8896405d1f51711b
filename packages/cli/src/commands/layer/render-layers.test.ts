import type { Layer } from '@catalog/contract/records/layer';
import { expect, test } from 'vitest';
import { describeSource } from './render-layers.ts';

const LAYER: Layer = {
  id: 'base',
  source_type: 'local',
  repo: '',
  ref: '',
  root: '',
  local_path: '/srv/base',
  order: 10,
  user_defined: false,
  owner: '',
  public: false,
  organization: true,
  groups: null,
  users: null,
  git_provider: '',
  created_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
};

test.each<[Partial<Layer>, string]>([
  [{}, '/srv/base'],
  [{ root: 'skills' }, '/srv/base (skills)'],
  [
    { source_type: 'git', repo: 'https://git.example/x.git', ref: 'main' },
    'https://git.example/x.git main',
  ],
  // A registry may hide the path; the cell is then not empty.
  [{ local_path: '' }, 'a folder on the host'],
  [{ source_type: 'git', local_path: '', ref: 'main' }, 'a repository on the host main'],
])('describeSource formats the source %j as %s', (more, expected) => {
  expect(describeSource({ ...LAYER, ...more })).toBe(expected);
});
