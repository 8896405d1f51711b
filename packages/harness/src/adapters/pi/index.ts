import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { McpConfig, McpConfigFile } from '../../adapter.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { defineHarness } from '../../define-harness.ts';
import type { DocumentLanding } from '../../landing.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { hookModule } from '../../shim/hook-module.ts';
import { gitPackageFormat } from '../../marketplace/formats/git-package.ts';
import type { Artifact } from '@catalog/core/artifact/types';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';
import type { ListingBudget } from '../../budget/listing-budget.ts';
import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';
import { harnessName } from '../../product-names.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

/** The script distinguishes failed and successful tool calls. */
const hookEvents = {
  session_start: { event: 'session_start' },
  session_end: { event: 'session_shutdown' },
  user_prompt_submit: { event: 'input' },
  pre_tool_use: { event: 'tool_call' },
  post_tool_use: { event: 'tool_result' },
  post_tool_use_failure: { event: 'tool_result' },
  pre_shell_execution: { event: 'tool_call', matcher: '^(bash|powershell)$' },
  post_shell_execution: { event: 'tool_result', matcher: '^(bash|powershell)$' },
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: { event: 'tool_call', matcher: '^read$' },
  post_file_edit: { event: 'tool_result', matcher: '^(edit|write)$' },
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: undefined,
  subagent_stop: undefined,
  stop: {
    event: 'agent_settled',
    fallback: 'the hook is notified that the agent stopped and cannot continue it',
  },
  pre_compact: { event: 'session_before_compact' },
  post_compact: { event: 'session_compact' },
  notification: undefined,
} satisfies HookEventTable;

const PI_TOOLS: HookMatching = {
  title: harnessName('pi'),
  tools: {
    bash: 'Bash',
    powershell: 'PowerShell',
    read: 'Read',
    edit: 'Edit',
    write: 'Write',
    grep: 'Grep',
    find: 'Glob',
    ls: 'LS',
  },
  server_tools: 'unknown',
};

/** An extension is a function that registers handlers, whose result can stop a tool, a prompt or a compaction. */
const PI_EXTENSION = wholeScript('pi', PI_TOOLS);

/** Pi lists skills without cutting descriptions, and only warns about long ones. */
const piBudget: ListingBudget = {
  types: ['skill'],
  description: {
    source: 'the program itself (MAX_DESCRIPTION_LENGTH)',
    version: 'Pi 1.5.2',
    limit: 1024,
    beyond: 'warned of',
  },
};

const HOST = {
  harness: 'pi',
  runtime: '.catalog/hooks/pi.mjs',
  program: PI_EXTENSION,
  matching: PI_TOOLS,
};
const HOOK = { events: hookEvents, without_event: 'refused' } as const;

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Pi replaces every `$` before digits and has no escape for it. */
const PROMPT: Pick<DocumentLanding, 'render' | 'takes' | 'arguments'> = {
  render: promptText,
  takes: { 'argument-hint': 'native' },
  arguments: {
    all: '$ARGUMENTS',
    position: (n) => `$${n}`,
    amount: '$ ',
    reserved: [
      { text: '$@', written: '$ @' },
      { text: '${@:', written: '$ {@:' },
      ...DIGITS.map((digit) => ({ text: `\${${digit}:-`, written: `$ {${digit}:-` })),
    ],
    inline_as_text: true,
  },
};

const USER_FILE: McpConfigFile = {
  path: '.pi/agent/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

/** MCP servers need Pi 1.0, where the model uses their tools through scripts. */
const SERVERS: McpConfig = {
  project: { ...USER_FILE, path: '.pi/mcp.json' },
  user: USER_FILE,
  entry: mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined }),
  limits: {
    exposure: { server: 'exposure', tools: 'toolExposure', hidden: 'hidden', shown: 'codemode' },
    timeout: { member: 'timeout', parts: 1 },
  },
  refuses: whyNotRun,
};

/** Returns why a server cannot run: Pi runs a value that starts with an exclamation mark as a command. */
function whyNotRun(server: McpServer): string | undefined {
  const { kind, transport } = server;
  if (kind === 'remote' && (transport === 'sse' || transport === 'ws')) {
    return `Pi has no transport ${transport}; it reaches servers by streamable HTTP and stdio`;
  }
  const values = Object.entries(kind === 'remote' ? server.headers : server.env);
  const [name] = values.find(([, value]) => value.startsWith('!')) ?? [];
  return name === undefined
    ? undefined
    : `Pi runs the value of ${name} as a command, because it starts with an exclamation mark`;
}

/** Adapter for Pi, which reads files of a project only after the user trusts the project. */
export const pi = defineHarness({
  id: 'pi',
  summary: 'Pi: .pi/, AGENTS.md',
  label: 'harness-h',
  revision: 4,
  detect: ['.pi'],
  budget: piBudget,
  marketplace: gitPackageFormat({ id: 'pi', landing: 'pi', root: '.pi', key: 'pi' }),
  skill: { folders: ['.pi/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    refused: 'Pi has no agents; author it as a skill, or leave pi out with target_harnesses',
  },
  command: { path: '.pi/prompts/{name}.md', ...PROMPT },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('pi', 'AGENTS.md') },
  hook: { ...hookModule({ ...HOST, path: '.pi/extensions/catalog-{name}.ts' }), ...HOOK },
  mcp_server: SERVERS,
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.pi/agent/skills', '.agents/skills'], derive_compatibility: true },
    command: { path: '.pi/agent/prompts/{name}.md', ...PROMPT },
    rule: {
      into: 'block',
      path: '.pi/agent/AGENTS.md',
      modes: alwaysLoadedModes('pi', 'AGENTS.md'),
    },
    hook: { ...hookModule({ ...HOST, path: '.pi/agent/extensions/catalog-{name}.ts' }), ...HOOK },
    mcp_server: { ...SERVERS, project: USER_FILE },
  },
});

/** Renders a command. Pi has the canonical placeholders. */
function promptText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
  ]);
}
