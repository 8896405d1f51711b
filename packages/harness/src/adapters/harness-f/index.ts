import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { agentText } from './agent-text.ts';
import { ownerlessFormat } from '../../marketplace/formats/ownerless.ts';
import type {
  AdoptReaders,
  SkippedContent,
  ProductDocument,
  Reading,
} from '../../adopt/adopt-source.ts';
import { given } from '../../adopt/agent-keys-back.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

/** An event for one kind of tool becomes the general event with a matcher (HMATCH-06, HMATCH-07). */
const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Bash$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  permission_request: { event: 'PermissionRequest' },
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: { event: 'PostCompact' },
};

function readAgent({ values }: ProductDocument): Reading | SkippedContent {
  const { name: _name, description, developer_instructions: body, ...kept } = values;
  if (typeof body !== 'string') return { left: 'it has no developer_instructions' };
  const changes = ['developer_instructions is its prose'];
  return { values: { ...given('description', description), ...kept }, body, changes };
}

const harnessFReaders: AdoptReaders = { agent: readAgent };

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
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('harness-f', 'AGENTS.md') },
  hook: {
    into: 'entry',
    path: '.harness-f/config.toml',
    container: ['hooks'],
    recorded: 'lock',
    events: hookEvents,
    without_event: 'refused',
    entry: groupedHook,
    without_timeout: true,
  },
  mcp_server: {
    project: { path: '.harness-f/config.toml', container: ['mcp_servers'], recorded: 'lock' },
    user: { path: '.harness-f/config.toml', container: ['mcp_servers'], recorded: 'lock' },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
  fields: 'unsupported',
  user: { command: { path: '.harness-f/prompts/{name}.md' } },
});
