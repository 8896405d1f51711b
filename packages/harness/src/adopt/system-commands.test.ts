import { expect, test } from 'vitest';
import { loadAdapter } from '../registry.ts';
import { adoptFiles, type Adoption } from './adopt-files.ts';
import { listCommands } from './read-hooks.ts';

function adopt(path: string, text: string, harness: string): Adoption {
  const bytes = new TextEncoder().encode(text);
  const files = new Map([[path, { path, bytes, executable: false, changed_at: 0 }]]);
  return adoptFiles(
    { files, owned: { files: new Set(), entries: [] } },
    { adapters: [loadAdapter(harness)], preference: 'latest', domain: '' },
  );
}

function copilotHook(commands: Record<string, string>): string {
  return JSON.stringify({ version: 1, hooks: { agentStop: [{ type: 'command', ...commands }] } });
}

const CODEX_HOOK = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "sh a.sh"\n';

test.each<[string, string, string, string]>([
  [
    'copilot',
    '.github/hooks/a.json',
    copilotHook({ bash: 'sh a.sh', powershell: './a.ps1' }),
    'it has another command for Windows (`powershell`), and a hook in a catalog has one',
  ],
  [
    'copilot',
    '.github/hooks/a.json',
    copilotHook({ powershell: './a.ps1' }),
    'it has a command for Windows alone (`powershell`)',
  ],
  [
    'copilot',
    '.github/hooks/a.json',
    copilotHook({ command: 'sh a.sh', windows: 'a.cmd' }),
    'it has another command for Windows (`windows`), and a hook in a catalog has one',
  ],
  [
    'codex',
    '.codex/config.toml',
    `${CODEX_HOOK}commandWindows = "a.cmd"\n`,
    'it has another command for Windows (`commandWindows`), and a hook in a catalog has one',
  ],
  [
    'cursor',
    '.cursor/hooks.json',
    JSON.stringify({ version: 1, hooks: { stop: [{ command: 'a', shell: 'powershell' }] } }),
    'its command is for powershell',
  ],
  [
    'qwen',
    '.qwen/settings.json',
    JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a', shell: 'powershell' }] }] },
    }),
    'its command is for powershell',
  ],
])(
  'skips a hook of %s in %s with a different command for Windows',
  (harness, path, text, reason) => {
    const { things, packages } = adopt(path, text, harness);
    expect(things).toEqual([
      expect.objectContaining({
        type: 'hook',
        outcome: 'left',
        reason: expect.stringContaining(reason),
      }),
    ]);
    expect(packages).toEqual([]);
  },
);

test.each<[string, string, string]>([
  [
    'copilot',
    '.github/hooks/a.json',
    copilotHook({ bash: 'node a.mjs', powershell: 'node a.mjs' }),
  ],
  ['codex', '.codex/config.toml', `${CODEX_HOOK}commandWindows = "sh a.sh"\n`],
])('adopts a hook of %s in %s with the same command for Windows', (harness, path, text) => {
  const { things } = adopt(path, text, harness);
  expect(things.map(({ outcome }) => outcome)).toEqual(['converted']);
});

test('lists the command of a hook with a Windows form, because the product runs it', () => {
  const hook = { type: 'command', bash: 'sh a.sh', powershell: './a.ps1' };
  expect(listCommands({ agentStop: [hook] })).toEqual([
    expect.objectContaining({ event: 'agentStop', command: 'sh a.sh' }),
  ]);
});
