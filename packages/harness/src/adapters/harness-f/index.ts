import { defineHarness } from '../../define-harness.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { agentText } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { ownerlessFormat } from '../../marketplace/formats/ownerless.ts';
import { harnessFReaders } from './read-back.ts';

/** The coding agent for terminal and IDE. Skills lie in `.agents`, which others read too. */
export const harnessF = defineHarness({
  id: 'harness-f',
  summary: 'coding agent for terminal and IDE: .harness-f/, .agents/skills, AGENTS.md',
  revision: 1,
  detect: ['.harness-f'],
  adopt: harnessFReaders,
  marketplace: ownerlessFormat({
    id: 'harness-f',
    landing: 'harness-f',
    root: '.harness-f',
    manifests: '.harness-f-plugin',
    plugin_root: '${HARNESS_F_PLUGIN_ROOT}',
  }),
  skill: { folders: ['.agents/skills'] },
  agent: { path: '.harness-f/agents/{name}.toml', render: agentText },
  command: {
    refused:
      'it has commands in the home folder only; author a skill, use --scope user, or leave harness-f out with target_harnesses',
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways('harness-f', 'AGENTS.md') },
  hook: {
    into: 'entry',
    path: '.harness-f/config.toml',
    container: ['hooks'],
    recorded: 'lock',
    events: hookEvents,
    without_event: 'refused',
    entry: groupedHook,
  },
  mcp_server: {
    project: { path: '.harness-f/config.toml', container: ['mcp_servers'], recorded: 'lock' },
    user: { path: '.harness-f/config.toml', container: ['mcp_servers'], recorded: 'lock' },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
  fields: 'unsupported',
  user: { command: { path: '.harness-f/prompts/{name}.md' } },
});
