import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createMarketplacePlace, targetOf } from '@catalog/testkit/marketplace-place';
import { expect, test } from 'vitest';

const HOOK = `---
type: hook
version: 1.0.0
description: Guards the shell.
hook_event: pre_shell_execution
hook_action: ./scripts/guard.sh "not today"
---
`;
const GUARD = '#!/bin/sh\nread event\necho "$1: $event" >&2\nexit 2\n';

function commandIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('command' in value && typeof value.command === 'string') return value.command;
  return Object.values(value)
    .map(commandIn)
    .find((command) => command !== undefined);
}

test.each([
  ['claude-code', 'claude/ops', 'CLAUDE_PLUGIN_ROOT'],
  ['codex', 'codex/ops', 'PLUGIN_ROOT'],
  ['cursor', 'cursor/ops', 'CURSOR_PLUGIN_ROOT'],
  ['gemini-cli', '', 'extensionPath'],
])(
  'a hook in a plugin of %s finds its script from any working directory',
  async (harness, folder, root) => {
    const place = createMarketplacePlace({
      'ops/guard/ARTIFACT.md': HOOK,
      'ops/guard/scripts/guard.sh': { x: GUARD },
    });
    place.configure(targetOf().replace('harness-a', harness));
    expect((await place.run()).error).toBeUndefined();
    const plugin = `${place.market}/${folder}`;
    const command = commandIn(JSON.parse(readFileSync(`${plugin}/hooks/hooks.json`, 'utf8'))) ?? '';
    const other_folder = `${place.root}/elsewhere`;
    mkdirSync(other_folder);
    const { stdout, stderr } = spawnSync('sh', ['-c', command.replaceAll(`\${${root}}`, plugin)], {
      cwd: other_folder,
      input: JSON.stringify({
        tool_name: 'Bash',
        tool_input: { command: 'rm -rf /' },
        command: 'rm -rf /',
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: other_folder,
      }),
      encoding: 'utf8',
    });
    expect(stdout + stderr).toContain('not today');
    expect(stdout + stderr).toContain('pre_shell_execution');
  },
);
