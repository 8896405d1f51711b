import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { commandText } from './command-text.ts';
import { extensionFormat } from '../../marketplace/formats/extension.ts';
import type {
  AdoptReaders,
  SkippedContent,
  ProductDocument,
  Reading,
} from '../../adopt/adopt-source.ts';
import { fromProductArguments } from '../../adopt/product-arguments.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { readPrompt } from '../gemini-cli/read-back.ts';

/** Reason for events of any agent: turns of the main agent and of subagents have the same events. */
const ANY_AGENT = 'harness-g has this event for every agent, so the hook runs for the main one too';

/** An event for one kind of tool becomes the general event with a matcher (HMATCH-08, HMATCH-09). */
const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  pre_tool_use: { event: 'BeforeTool' },
  post_tool_use: { event: 'AfterTool' },
  pre_shell_execution: { event: 'BeforeTool', matcher: '^Bash$' },
  post_shell_execution: { event: 'AfterTool', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'BeforeTool', matcher: '^mcp_' },
  post_mcp_execution: { event: 'AfterTool', matcher: '^mcp_' },
  subagent_start: { event: 'BeforeAgent', fallback: ANY_AGENT },
  subagent_stop: { event: 'AfterAgent', fallback: ANY_AGENT },
  stop: { event: 'AfterAgent' },
  pre_compact: { event: 'PreCompress' },
  notification: { event: 'Notification' },
};

/** Converts a command, in which `{{args}}` means all arguments. */
function readCommand(document: ProductDocument): Reading | SkippedContent {
  const reading = readPrompt(document);
  if ('left' in reading) return reading;
  const { body, changes } = fromProductArguments(reading.body, { all: '{{args}}' });
  return { ...reading, body, changes: [...reading.changes, ...changes] };
}

const harnessGReaders: AdoptReaders = { command: readCommand };

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
  rule: {
    into: 'block',
    path: 'HARNESS-G.md',
    modes: alwaysLoadedModes('harness-g', 'HARNESS-G.md'),
  },
  hook: {
    into: 'entry',
    path: '.harness-g/settings.json',
    container: ['hooks'],
    recorded: 'file',
    events: hookEvents,
    without_event: 'refused',
    entry: groupedHook,
    without_timeout: true,
  },
  mcp_server: {
    project: { path: '.harness-g/settings.json', container: ['mcpServers'], recorded: 'file' },
    user: { path: '.harness-g/settings.json', container: ['mcpServers'], recorded: 'file' },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
  fields: 'native',
});
