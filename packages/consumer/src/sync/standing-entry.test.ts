import { readdirSync } from 'node:fs';
import { adapters } from '@catalog/harness/registry';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { writeStandingEntry, type StandingEntry } from './standing-entry.ts';

test.each(['../settings.json', '/settings.json', 'a/../../settings.json'])(
  'an entry never leads out of its folder: %s',
  async (path) => {
    const directory = temporaryFolder();
    const entry: StandingEntry['entry'] = {
      shape: 'map',
      container: ['servers'],
      key: 'catalog',
      artifact_id: 'catalog-mcp',
      value: {},
      recorded: 'lock',
    };
    const standing = {
      directory,
      home: temporaryFolder(),
      adapters,
      path,
      harness: 'acme',
      entry,
    };
    await expect(writeStandingEntry(standing, {})).rejects.toMatchObject({
      code: 'materialize.target_invalid',
    });
    expect(readdirSync(directory)).toEqual([]);
  },
);
