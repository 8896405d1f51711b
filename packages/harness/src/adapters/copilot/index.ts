import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext, Untranslatable } from '../../adapter.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { defineHarness } from '../../define-harness.ts';
import type {
  DocumentLanding,
  Fallback,
  HookFileLanding,
  ReadyHook,
  RuleLanding,
} from '../../landing.ts';
import { SHIM_GRACE_SECONDS } from '../../place/hook-forms.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import {
  authoredText,
  authoredValue,
  projectDocument,
  type ProjectedKey,
} from '../../place/project-frontmatter.ts';
import type { ListingBudget } from '../../budget/listing-budget.ts';
import { proseAsWholeFile } from '../../place/document-text.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { copilotHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { claudeMarketplace } from '../claude-code/marketplace.ts';
import { mcpServerEntry as claudeServerEntry } from '../claude-code/mcp-servers.ts';
import { editorServerEntry, mcpServerEntry } from './mcp-servers.ts';
import { copilotReaders } from './read-back.ts';

/**
 * Limit that the makers of Copilot apply to their own skills. Beyond it, skills and commands are missing from the
 * listing.
 */
const copilotBudget: ListingBudget = {
  types: ['skill', 'command'],
  listing: {
    source:
      'https://github.com/microsoft/GitHub-Copilot-for-Azure/issues/1227; https://github.com/github/copilot-cli/issues/2314',
    version: 'Copilot CLI of March 2026',
    unit: 'characters',
    limit: 15_000,
    around: ({ name }) => name,
    beyond: 'omitted',
  },
};

const ID = 'copilot';

const USER: McpConfigFile = {
  path: '.copilot/mcp-config.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const LIMITS: ServerLimits = { allowed: ['tools'], timeout: { member: 'timeout', parts: 1000 } };

const BY_THE_EDITOR: Fallback = {
  fallback: 'VS Code has rules of this mode; the command line reads the rule always',
};

const AGENT = { render: agentText, takes: AGENT_KEYS };

const RULE: Pick<RuleLanding, 'into' | 'render' | 'modes'> = {
  into: 'file',
  render: instructionsText,
  modes: { always: 'native', glob: 'native', auto: BY_THE_EDITOR, explicit: BY_THE_EDITOR },
};

const HOOK: Omit<HookFileLanding, 'path' | 'shim'> = {
  into: 'file',
  events: hookEvents,
  without_event: 'refused',
  render: hookText,
  takes_matcher: true,
};

/**
 * Writes commands as skills, which all programs of Copilot offer as `/{name}`. Prompt files work only in local sessions
 * of VS Code.
 */
function commandIn(folder: string): DocumentLanding {
  return {
    path: `${folder}/{name}/SKILL.md`,
    bundled: `${folder}/{name}`,
    render: commandText,
    takes: { 'argument-hint': 'native', 'disable-model-invocation': 'native' },
    // Copilot appends the text after the command to the skill.
    arguments: { inline_as_text: true },
  };
}

function hookText({ native, command, windows, timeout }: ReadyHook): string {
  const entry = {
    type: 'command',
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    bash: command,
    ...(windows === undefined ? {} : { powershell: windows }),
    ...(timeout === undefined ? {} : { timeoutSec: timeout + SHIM_GRACE_SECONDS }),
  };
  return `${JSON.stringify({ version: 1, hooks: { [native.event]: [entry] } }, null, 2)}\n`;
}

export const copilot = defineHarness({
  id: ID,
  summary: 'GitHub Copilot: .github/',
  revision: 4,
  detect: ['.github/copilot-instructions.md', '.github/instructions', '.github/prompts'],
  adopt: copilotReaders,
  also_reads: [
    { path: 'AGENTS.md' },
    { path: 'CLAUDE.md' },
    { path: 'GEMINI.md' },
    { path: '.claude/rules' },
    { path: '.claude/commands' },
    // In the command line tool, the Claude Code script leaves the hook to the Copilot script.
    { path: '.claude/settings.json', in: 'VS Code' },
  ],
  // Release 0.4.0 wrote commands as prompts, and servers to the file of the repository.
  former: [
    { into: 'file', path: '.github/prompts/{name}.prompt.md' },
    { into: 'entry', path: '.github/mcp.json', container: ['mcpServers'], key: '{any}' },
  ],
  marketplace: claudeMarketplace,
  budget: copilotBudget,
  skill: {
    folders: ['.github/skills', '.claude/skills', '.agents/skills'],
    deduplicates: 'by_name',
    derive_compatibility: true,
  },
  agent: { path: '.github/agents/{name}.agent.md', ...AGENT },
  command: commandIn('.github/skills'),
  rule: { ...RULE, path: '.github/instructions/{name}.instructions.md' },
  hook: { ...HOOK, path: '.github/hooks/{name}.json', shim: commandShim(copilotHooks) },
  mcp_server: {
    // File of Claude Code, which the command line tool reads too.
    project: { path: '.mcp.json', container: ['mcpServers'], recorded: 'file' },
    // File for local sessions in VS Code.
    beside: {
      path: '.vscode/mcp.json',
      container: ['servers'],
      recorded: 'lock',
      entry: editorServerEntry,
    },
    user: USER,
    entry: claudeServerEntry,
    limits: {
      ...LIMITS,
      partial: 'VS Code offers all tools of the server; the command line has a list',
    },
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, mcpServers: SERVERS_OF_AGENTS },
  user: {
    skill: { folders: ['.copilot/skills'], deduplicates: 'by_name', derive_compatibility: true },
    agent: { path: '.copilot/agents/{name}.agent.md', ...AGENT },
    command: commandIn('.copilot/skills'),
    rule: { ...RULE, path: '.copilot/instructions/{name}.instructions.md' },
    hook: {
      ...HOOK,
      path: '.copilot/hooks/{name}.json',
      shim: commandShim(copilotHooks, 'home'),
    },
    mcp_server: { project: USER, entry: mcpServerEntry, limits: LIMITS },
  },
});

/** Renders a command. Copilot ignores a skill without a description. */
function commandText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const { description } = artifact;
  if (description.trim() === '') {
    return { untranslatable: 'Copilot ignores a skill without a description; write one' };
  }
  return projectDocument(artifact, [
    ['name', name],
    ['description', description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
    ['disable-model-invocation', authoredValue(artifact, 'disable-model-invocation')],
  ]);
}

/**
 * Renders a rule. `applyTo` limits the rule to files. Otherwise the model selects it by its description or, without
 * one, the user names it.
 */
function instructionsText(artifact: Artifact): string {
  const keys = RULE_KEYS[artifact.fields.rule_mode ?? 'always'](artifact);
  return keys.length === 0 ? proseAsWholeFile(artifact) : projectDocument(artifact, keys);
}

const RULE_KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: (artifact) => [...described(artifact), ['applyTo', '**']],
  glob: (artifact) => [
    ...described(artifact),
    ['applyTo', splitGlobs(artifact.fields.rule_globs ?? '').join(',')],
  ],
  auto: ({ fields, description }) => [['description', fields.rule_description ?? description]],
  explicit: () => [],
};

function described({ description }: Artifact): ProjectedKey[] {
  return description === '' ? [] : [['description', description]];
}
