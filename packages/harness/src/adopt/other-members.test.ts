import { expect, test } from 'vitest';
import { loadAdapter } from '../registry.ts';
import { otherMembers } from './other-members.ts';

function othersIn(harness: string, path: string, text: string): string[] {
  const file = { path, bytes: new TextEncoder().encode(text), executable: false, changed_at: 0 };
  const found = otherMembers(loadAdapter(harness).adopt ?? [], new Map([[path, file]]));
  return found.flatMap(({ members }) => members);
}

test.each<[string, string, string, string[]]>([
  [
    'claude-code',
    '.claude/settings.json',
    '{"$schema": "x", "permissions": {"deny": ["Read(.env)"]}, "env": {"A": "b"}, "hooks": {"Stop": []}}',
    ['permissions', 'env'],
  ],
  ['claude-code', '.mcp.json', '{"mcpServers": {"a": {}}, "x-catalog": {}}', []],
  ['cursor', '.cursor/hooks.json', '{"version": 1, "hooks": {"stop": []}}', []],
  ['cursor', '.cursor/hooks.json', '{"version": 2, "hooks": {"stop": []}}', ['version']],
  [
    'gemini-cli',
    '.gemini/settings.json',
    '{"mcpServers": {}, "hooks": {"enabled": true, "Stop": []}, "ui": {}}',
    ['hooks.enabled', 'ui'],
  ],
  ['opencode', 'opencode.json', '{"mcp": {"a": {}}, "model": "x/y"}', ['model']],
  ['codex', '.codex/config.toml', 'model = "x"\n[mcp_servers.a]\ncommand = "b"\n', ['model']],
  ['claude-code', '.claude/settings.json', '{', []],
])('%s: for %s with %s reports the other members %j', (harness, path, text, members) => {
  expect(othersIn(harness, path, text)).toEqual(members);
});
