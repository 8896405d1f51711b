import { defineHarness } from '../../define-harness.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { commandText } from './command-text.ts';
import { hookEvents } from './hook-events.ts';
import { extensionFormat } from '../../marketplace/formats/extension.ts';
import { harnessGReaders } from './read-back.ts';

/** The command-line agent. */
export const harnessG = defineHarness({
  id: 'harness-g',
  summary: 'command-line agent: .harness-g/, HARNESS-G.md',
  revision: 1,
  detect: ['.harness-g'],
  adopt: harnessGReaders,
  marketplace: extensionFormat({
    id: 'harness-g',
    landing: 'harness-g',
    root: '.harness-g',
    manifest: 'harness-g-extension.json',
    context_file: 'HARNESS-G.md',
    plugin_root: '${HARNESS_G_EXTENSION_ROOT}',
  }),
  skill: { folders: ['.harness-g/skills'] },
  agent: { path: '.harness-g/agents/{name}.md' },
  command: { path: '.harness-g/commands/{name}.toml', render: commandText },
  rule: { into: 'block', path: 'HARNESS-G.md', modes: loadedAlways('harness-g', 'HARNESS-G.md') },
  hook: {
    into: 'entry',
    path: '.harness-g/settings.json',
    container: ['hooks'],
    recorded: 'file',
    events: hookEvents,
    without_event: 'refused',
    entry: groupedHook,
  },
  mcp_server: {
    project: { path: '.harness-g/settings.json', container: ['mcpServers'], recorded: 'file' },
    user: { path: '.harness-g/settings.json', container: ['mcpServers'], recorded: 'file' },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
  fields: 'native',
});
