import { closeSync, openSync, readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { adapters } from '@catalog/harness/registry';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalState } from '../lock/local-state.ts';
import { keepLateSaves } from './leftover-files.ts';
import { removeManualEntry, writeManualEntry, type ManualEntry } from './manual-entry.ts';

function openEntry(path: string): ManualEntry {
  return {
    directory: temporaryFolder(),
    home: temporaryFolder(),
    adapters,
    path,
    harness: 'acme',
    entry: {
      shape: 'map',
      container: ['servers'],
      key: 'catalog',
      artifact_id: 'catalog-mcp',
      value: {},
      recorded: 'lock',
    },
  };
}

test.each(['../settings.json', '/settings.json', 'a/../../settings.json'])(
  'writeManualEntry rejects a path outside the folder: %s',
  async (path) => {
    const standing = openEntry(path);
    await expect(writeManualEntry(standing, {})).rejects.toMatchObject({
      code: 'materialize.target_invalid',
    });
    expect(readdirSync(standing.directory)).toEqual([]);
  },
);

test('removeManualEntry keeps bytes that are written through an open handle afterwards', async () => {
  const standing = openEntry('settings.json');
  const { directory, home, path } = standing;
  writeFileSync(`${directory}/${path}`, '{"mine": true}\n');
  await writeManualEntry(standing, {});
  const handle = openSync(`${directory}/${path}`, 'a');
  onTestFinished(() => closeSync(handle));
  await removeManualEntry(standing, {});
  writeSync(handle, 'late\n');
  const kept = keepLateSaves(openLocalState(directory, home));
  expect(kept.map((file) => file.path)).toEqual([path]);
  const copies = kept.map(({ kept_at }) => readFileSync(`${directory}/${kept_at}`, 'utf8'));
  expect(copies).toEqual([expect.stringMatching(/late\n$/)]);
});
