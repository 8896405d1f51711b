import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import { flatHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { mdcText } from '../../place/mdc-text.ts';
import { closedFormat } from '../../marketplace/formats/closed.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { readMdcRule } from './read-rule.ts';

/** Six events have an equivalent. Hooks for other events write nothing (HD-10, HD-11). */
const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  user_prompt_submit: { event: 'beforeSubmitPrompt' },
  pre_shell_execution: { event: 'beforeShellExecution' },
  pre_mcp_execution: { event: 'beforeMCPExecution' },
  pre_read_file: { event: 'beforeReadFile' },
  post_file_edit: { event: 'afterFileEdit' },
  stop: { event: 'stop' },
};

export const harnessD = defineHarness({
  id: 'harness-d',
  summary: 'IDE: .harness-d/',
  revision: 1,
  detect: ['.harness-d'],
  adopt: { rule: readMdcRule },
  marketplace: closedFormat({
    id: 'harness-d',
    landing: 'harness-d',
    root: '.harness-d',
    manifests: '.harness-d-plugin',
    plugin_root: '${HARNESS_D_PLUGIN_ROOT}',
  }),
  skill: { folders: ['.harness-d/skills'] },
  agent: { path: '.harness-d/agents/{name}.md' },
  command: { path: '.harness-d/commands/{name}.md' },
  rule: {
    into: 'file',
    path: '.harness-d/rules/{name}.mdc',
    render: mdcText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: {
    into: 'entry',
    path: '.harness-d/hooks.json',
    container: ['hooks'],
    recorded: 'file',
    events: hookEvents,
    without_event: 'nothing',
    entry: flatHook,
    without_timeout: true,
    beside: { version: 1 },
  },
  mcp_server: {
    project: { path: '.harness-d/mcp.json', container: ['mcpServers'], recorded: 'file' },
    user: { path: '.harness-d/mcp.json', container: ['mcpServers'], recorded: 'file' },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
  fields: 'native',
});
