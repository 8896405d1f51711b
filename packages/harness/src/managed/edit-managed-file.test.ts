import type { Json } from '@catalog/core/json';
import { describe, expect, test } from 'vitest';
import type { ManagedEntry } from '../adapter.ts';
import { editManagedFile } from './edit-managed-file.ts';

function entry(shape: ManagedEntry['shape'], container: string[], value: Json): ManagedEntry {
  return { shape, recorded: 'lock', container, key: 'wh', artifact_id: 'wh', value };
}

const SERVER = { command: 'npx' };

const ROWS: [string, ManagedEntry, string, string | undefined][] = [
  [
    'settings.json',
    entry('map', ['mcpServers'], SERVER),
    '{"mcpServers": {"wh": {"command":  "npx"}}} // mine\n',
    '{"mcpServers": {"wh": {"command": "mine"}}}',
  ],
  [
    'settings.json',
    { ...entry('map', ['mcpServers'], SERVER), recorded: 'file' },
    '{"mcpServers": {"wh": {"command": "npx"}}, "x-catalog": {"wh": ["mcpServers", "wh"]}}',
    '{"mcpServers": {"wh": {}}, "x-catalog": {"wh": ["mcpServers", "wh"]}}',
  ],
  [
    'settings.json',
    entry('array', ['hooks', 'Stop'], SERVER),
    '{"hooks": {"Stop": [{"command": "npx"}]}}',
    undefined,
  ],
  [
    'settings.json',
    { ...entry('array', ['hooks', 'Stop'], { ...SERVER, 'x-catalog-id': 'wh' }), recorded: 'file' },
    '{"hooks": {"Stop": [{"command": "npx", "x-catalog-id": "wh"}]}}',
    '{"hooks": {"Stop": [{"command": "mine", "x-catalog-id": "wh"}]}}',
  ],
  [
    'config.toml',
    entry('map', ['mcp_servers'], SERVER),
    '[mcp_servers.wh]\ncommand = "npx" # mine\n',
    'mcp_servers.wh.command = "mine"\n',
  ],
  [
    'config.toml',
    entry('array', ['hooks', 'Stop'], SERVER),
    '[[hooks.Stop]]\ncommand = "npx"\n',
    undefined,
  ],
  [
    'config.yaml',
    entry('map', ['mcp_servers'], SERVER),
    'mcp_servers: {wh: {command: npx}} # mine\n',
    'mcp_servers:\n  wh:\n    command: mine\n',
  ],
  ['config.yaml', entry('array', ['hooks'], SERVER), 'hooks:\r\n  - command: npx\r\n', undefined],
  [
    'AGENTS.md',
    entry('block', [], 'Do it.'),
    '# Mine\n\n<!-- catalog:begin:wh -->\nDo it.\n<!-- catalog:end:wh -->\n',
    '<!-- catalog:begin:wh -->\nDo something else.\n<!-- catalog:end:wh -->\n',
  ],
];

describe.each(ROWS)('%s: existing entry of the user', (file, desired, equal, different) => {
  test("stays the user's if the values are equal, even if the entry is no longer desired", () => {
    const edit = editManagedFile(equal, [desired], undefined, file);
    expect(edit).toMatchObject({
      text: equal,
      changed: false,
      owned: undefined,
      pre_existing: [desired],
    });
    expect(editManagedFile(equal, [], edit.owned, file).text).toBe(equal);
  });

  test('becomes managed if the user gives it to catalog, and is removed with the artifact', () => {
    const claimed = editManagedFile(different ?? equal, [desired], undefined, file, [], () => true);
    expect(claimed).toMatchObject({ pre_existing: [], claimed: [desired] });
    expect(claimed.owned?.entries).toHaveLength(1);
    const again = editManagedFile(claimed.text, [desired], claimed.owned, file);
    expect(again).toMatchObject({ changed: false, pre_existing: [] });
    const gone = editManagedFile(claimed.text, [], claimed.owned, file);
    expect(gone.changed).toBe(true);
    expect(gone.text).not.toContain('npx');
  });
});

// Rows with keys: elements of a list have none, so they cannot differ.
const KEYED = ROWS.filter(([, , , different]) => different !== undefined);

test.each(KEYED)(
  '%s: reports a clash if the user has a different entry',
  (file, desired, _, different) => {
    expect(() => editManagedFile(different, [desired], undefined, file)).toThrow(
      expect.objectContaining({ code: 'materialize.clash' }),
    );
  },
);

test('leaves an owned entry to the user if the user changed it to the desired value', () => {
  const old = entry('array', ['hooks', 'Stop'], { command: 'old' });
  const { text = '', owned } = editManagedFile('{"a": 1}', [old], undefined, 'settings.json');
  const mine = text.replace('old', 'new');
  const wanted = entry('array', ['hooks', 'Stop'], { command: 'new' });
  const edit = editManagedFile(mine, [wanted], owned, 'settings.json');
  expect(edit).toMatchObject({ text: mine, pre_existing: [wanted] });
});

test.each(KEYED)(
  '%s: reports replacing an entry that the user edited, even if another target keeps it',
  (file, desired, _, different) => {
    const { owned } = editManagedFile(undefined, [desired], undefined, file);
    const kept = owned?.entries ?? [];
    expect(editManagedFile(different, [desired], owned, file)).toMatchObject({ edited: true });
    expect(editManagedFile(different, [desired], owned, file, kept)).toMatchObject({
      edited: true,
    });
    expect(editManagedFile(different, [], owned, file, kept)).not.toHaveProperty('edited');
  },
);
