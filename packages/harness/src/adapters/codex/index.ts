import type { McpConfigFile } from '../../adapter.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { codexHooks } from './hook-shim.ts';
import { codexBudget } from './budget.ts';
import { AGENT_FIELDS, AGENT_KEYS, agentText } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { mcpServerEntry, whyNotRun } from './mcp-servers.ts';
import { ownerlessFormat } from '../../marketplace/formats/ownerless.ts';
import { codexReaders } from './read-back.ts';

const LIMITS: ServerLimits = {
  allowed: ['enabled_tools'],
  denied: ['disabled_tools'],
  timeout: { member: 'tool_timeout_sec', parts: 1 },
};

const CONFIG: McpConfigFile = {
  path: '.codex/config.toml',
  container: ['mcp_servers'],
  recorded: 'lock',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.codex/config.toml',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(1, 'commandWindows'),
  shim: commandShim(codexHooks),
};

/**
 * Codex. Of a project it reads skills at once, and its configuration, agents and hooks once the
 * person has trusted the project; of `AGENTS.md` it reads 32 KiB.
 */
export const codex = defineHarness({
  id: 'codex',
  summary: 'Codex: .codex/, .agents/skills, AGENTS.md',
  label: 'harness-f',
  revision: 4,
  detect: ['.codex'],
  adopt: codexReaders,
  budget: codexBudget,
  rules_limit: { path: 'AGENTS.md', bytes: 32 * 1024 },
  marketplace: ownerlessFormat({
    id: 'codex',
    landing: 'codex',
    root: '.codex',
    manifests: '.codex-plugin',
    plugin_root: '${PLUGIN_ROOT}',
    entry: {
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    },
  }),
  skill: { folders: ['.agents/skills', '.codex/skills'], derive_compatibility: true },
  agent: { path: '.codex/agents/{name}.toml', render: agentText, takes: AGENT_KEYS },
  command: {
    refused:
      'Codex no longer supports custom commands; author it as a skill, or leave codex out with target_harnesses',
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways('Codex', 'AGENTS.md') },
  hook: HOOK,
  mcp_server: {
    project: CONFIG,
    user: CONFIG,
    entry: mcpServerEntry,
    limits: LIMITS,
    refuses: whyNotRun,
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, ...AGENT_FIELDS },
  user: {
    skill: { folders: ['.agents/skills'], derive_compatibility: true },
    rule: { into: 'block', path: '.codex/AGENTS.md', modes: loadedAlways('Codex', 'AGENTS.md') },
    hook: { ...HOOK, shim: commandShim(codexHooks, 'home') },
  },
});
