import type { ManagedEntry } from '../adapter.ts';
import type { PlannedEntry } from '../planned.ts';
import { expect, test } from 'vitest';
import { documentText } from './document-files.ts';

function server(key: string): PlannedEntry {
  const owned = { shape: 'map', artifact_id: `ops/${key}`, recorded: 'lock' } as const;
  const entry: ManagedEntry = { ...owned, container: ['mcpServers'], key, value: { command: key } };
  return { path: '.mcp.json', entry, artifact_id: key, version: '', layer: '', content_hash: '' };
}

test('keeps servers with any name, including prototype names', () => {
  const entries = ['__proto__', 'constructor', 'a "b"'].map(server);
  const read = JSON.parse(documentText({ version: 1 }, entries));
  expect(Object.keys(read['mcpServers'])).toEqual(['__proto__', 'constructor', 'a "b"']);
});
