import { describe, expect, test } from 'vitest';
import { loadAdapter } from '../registry.ts';
import { adoptFiles, type Adoption } from './adopt-files.ts';
import type { FoundFile } from './candidate.ts';
import { otherMembers } from './other-members.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function found(files: Record<string, string>): Map<string, FoundFile> {
  return new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      { path, bytes: encoder.encode(text), executable: !path.includes('.'), changed_at: 0 },
    ]),
  );
}

function adopt(files: Record<string, string>, harness: string): Adoption {
  return adoptFiles(
    { files: found(files), owned: { files: new Set(), entries: [] } },
    { adapters: [loadAdapter(harness)], preference: 'latest', domain: '' },
  );
}

function manifests({ packages }: Adoption): Record<string, string> {
  return Object.fromEntries(packages.map(({ id, manifest }) => [id, decoder.decode(manifest)]));
}

function reasonsLeft({ things }: Adoption): (string | null)[] {
  return things.filter(({ outcome }) => outcome === 'left').map(({ reason }) => reason);
}

function membersLeft(files: Record<string, string>, harness: string): string[] {
  const { adopt: sources = [] } = loadAdapter(harness);
  return otherMembers(sources, found(files)).flatMap(({ members }) => members);
}

describe('adopt from Kiro', () => {
  const FILE = '.kiro/hooks/guards.json';
  const HOOKS = {
    version: 'v1',
    hooks: [
      {
        name: 'lint',
        trigger: 'PreToolUse',
        matcher: 'fs_write|str_replace',
        action: { type: 'command', command: 'npm run lint' },
        timeout: 30,
        enabled: true,
      },
      { name: 'remind', trigger: 'Stop', action: { type: 'agent', prompt: 'Test.' } },
      {
        name: 'off',
        trigger: 'SessionStart',
        action: { type: 'command', command: 'echo' },
        enabled: false,
      },
    ],
  };
  const FILES = { [FILE]: JSON.stringify(HOOKS) };

  test('adopts the commands in a list of triggers', () => {
    const adoption = adopt(FILES, 'kiro');
    const text = Object.values(manifests(adoption))[0] ?? '';
    expect(text).toContain('hook_event: pre_tool_use\n');
    expect(text).toContain('hook_timeout: 30\n');
    expect(text).toContain('hook_matcher: "fs_write|str_replace"\n');
    expect(text).toContain('target_harnesses:\n  - kiro\n');
  });

  test('skips disabled hooks and actions that are not commands', () => {
    expect(reasonsLeft(adopt(FILES, 'kiro'))).toEqual([
      'it is switched off',
      expect.stringContaining('it is of the type agent'),
    ]);
  });

  test('reports other members of a hook file', () => {
    expect(membersLeft(FILES, 'kiro')).toEqual([]);
    expect(membersLeft({ [FILE]: '{"version":"v1","hooks":[],"note":1}' }, 'kiro')).toEqual([
      'note',
    ]);
  });

  test('converts tool categories and server tools to canonical names', () => {
    const agent =
      '---\ndescription: A.\ntools: [read, shell, "@wh/query", "@docs", "@mcp"]\nmcpServers:\n  wh:\n    command: npx\n---\nA.\n';
    const text = manifests(adopt({ '.kiro/agents/a.md': agent }, 'kiro'))['agents/a'] ?? '';
    expect(text).toContain(
      'tools:\n  - Read\n  - Bash\n  - mcp__wh__query\n  - mcp__docs\n  - mcp__*\n',
    );
    expect(text).toContain('mcpServers:\n  - name: wh\n');
    const all = '---\ndescription: A.\ntools: ["*"]\n---\nA.\n';
    expect(manifests(adopt({ '.kiro/agents/a.md': all }, 'kiro'))['agents/a']).not.toContain(
      'tools',
    );
  });
});

describe('adopt from Antigravity', () => {
  const FILES = {
    '.agents/hooks.json': JSON.stringify({
      guard: {
        PreToolUse: [{ matcher: 'run_command', hooks: [{ command: './guard.sh', timeout: 5 }] }],
      },
      reminder: { PreInvocation: [{ type: 'command', command: './remind.sh' }] },
      off: { enabled: false, Stop: [{ type: 'command', command: './end.sh' }] },
      ours: { Stop: [{ command: 'node .catalog/hooks/antigravity.mjs stop' }] },
    }),
  };

  test('adopts named hooks with their lists', () => {
    const adoption = adopt(FILES, 'antigravity');
    const texts = Object.values(manifests(adoption));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('hook_event: pre_shell_execution\n');
    expect(texts[0]).toContain('hook_timeout: 5\n');
    expect(new Set(reasonsLeft(adoption))).toEqual(
      new Set([
        'it came from the registry',
        'it is switched off',
        'hook artifacts have no event for PreInvocation',
      ]),
    );
    expect(membersLeft(FILES, 'antigravity')).toEqual([]);
  });

  test('adopts the serverUrl of a server', () => {
    const server = {
      '.agents/mcp_config.json': '{"mcpServers":{"wh":{"serverUrl":"https://x.example/mcp"}}}',
    };
    expect(Object.values(manifests(adopt(server, 'antigravity')))[0]).toContain(
      'url: https://x.example/mcp\n',
    );
  });
});
