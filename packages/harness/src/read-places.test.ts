import { expect, test } from 'vitest';
import { listReadPlaces } from './read-places.ts';
import { adapters } from './registry.ts';

test('lists the directories of a product for workspace and home directory on every system', () => {
  const { folders } = listReadPlaces(adapters);
  const expected = ['.claude', '.gemini', '.opencode', '.pi', '.cursor', '.codex', '.agents'];
  for (const folder of [
    ...expected,
    '.config/opencode',
    '.config/goose',
    'AppData/Roaming/Claude',
    'Library/Application Support/Claude',
  ]) {
    expect(folders).toContain(folder);
  }
});

test('listReadPlaces omits directories that other programs share', () => {
  const { folders, files } = listReadPlaces(adapters);
  const shared = ['', '.', '.config', 'AppData', 'AppData/Roaming', 'Library', '.catalog'];
  for (const place of [...shared, 'Library/Application Support']) {
    expect([...folders, ...files]).not.toContain(place);
  }
});

test('lists the files that products read from the root of a workspace', () => {
  const { files } = listReadPlaces(adapters);
  for (const file of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.mcp.json', 'opencode.json']) {
    expect(files).toContain(file);
  }
});
