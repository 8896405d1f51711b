import type { Json } from '@catalog/core/json';
import { expect, test } from 'vitest';
import { editManagedFile } from './edit-managed-file.ts';
import { entryHash } from './entry-hash.ts';

test.each<[string, 'map' | 'block', Json]>([
  ['settings.json', 'map', { command: 'x', none: null }],
  ['config.yaml', 'map', { command: 'x', none: null }],
  ['config.toml', 'map', { command: 'x', none: null }],
  ['AGENTS.md', 'block', 'Text.\n\n```js\ncode\n\n'],
])('%s: hash of a desired entry equals the hash in the lock', (file, shape, value) => {
  const container = shape === 'map' ? ['servers'] : [];
  const entry = { shape, recorded: 'lock', container, key: 'a', artifact_id: 'a', value } as const;
  const { owned } = editManagedFile(undefined, [entry], undefined, file);
  expect(owned?.entries.map(({ hash }) => hash)).toEqual([entryHash(entry, file)]);
});
