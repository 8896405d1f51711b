import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback } from '../../landing.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, unsupportedFeature, notWritten } from '../../place/unsupported-feature.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { secretsOf } from '../../place/secrets-of.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given } from '../../adopt/agent-keys-back.ts';
import { readMdcRule } from '../harness-d/read-rule.ts';

const continueReaders: AdoptReaders = {
  rule: readRule,
  command: readPrompt,
  prose: ['.continuerules'],
};

/** Converts a rule. Without attributes, it always applies. */
function readRule({ name, values, body }: ProductDocument): Reading {
  const { name: _name, invokable, regex, ...kept } = values;
  const changes =
    regex === undefined ? [] : ['regex is not adopted, so the content of a file has no effect'];
  if (invokable === true) {
    const { alwaysApply: _always, globs: _globs, description, ...rest } = kept;
    const explicit = { ...given('description', description), ...rest, rule_mode: 'explicit' };
    return { values: explicit, body, changes };
  }
  const { globs, alwaysApply = globs === undefined } = kept;
  const reading = readMdcRule({ name, values: { ...kept, alwaysApply }, body });
  return { ...reading, changes };
}

function readPrompt({ values, body }: ProductDocument): Reading {
  const { name: _name, invokable: _invokable, ...kept } = values;
  return { values: kept, body, changes: [] };
}

const ID = 'continue';

const SERVERS: McpConfigFile = {
  path: '.continue/mcpServers/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const EDITOR_ONLY: Fallback = {
  fallback:
    'the extensions for editors have rules of this mode; the command line does not load the rule',
};

/** Renders a command. Without `invokable`, a file in the prompts folder is a rule. */
function promptText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['invokable', true],
  ]);
}

function typeOf({ kind, transport }: McpServer): string | undefined {
  if (kind === 'local') return undefined;
  return transport === 'sse' ? 'sse' : 'http';
}

/** Rejects secrets, which Continue resolves only in config.yaml, a file that catalog does not write. */
function needsOtherFile(server: McpServer): string | undefined {
  return secretsOf(server).length === 0
    ? undefined
    : 'Continue resolves secrets in config.yaml only; add the server there, with `${{ secrets.NAME }}` for each';
}

/** Adapter for Continue, with the same paths in the home folder. */
export const continueDev = defineHarness({
  id: ID,
  summary: 'Continue: .continue/',
  revision: 1,
  detect: ['.continue', '.continuerules'],
  adopt: continueReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.continue/skills', '.claude/skills'], derive_compatibility: true },
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: { path: '.continue/prompts/{name}.md', render: promptText, arguments: {} },
  rule: {
    into: 'file',
    path: '.continue/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: EDITOR_ONLY, auto: EDITOR_ONLY, explicit: EDITOR_ONLY },
  },
  hook: unsupportedFeature(ID, 'hooks that run'),
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({ secret: (name) => name, type: typeOf }),
    refuses: needsOtherFile,
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: { skill: { folders: ['.continue/skills'], derive_compatibility: true } },
});

function ruleText(artifact: Artifact, { name }: PlaceContext): string {
  const keys = RULE_KEYS[artifact.fields.rule_mode ?? 'always'](artifact);
  return projectDocument(artifact, [['name', name], ...keys]);
}

const RULE_KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: () => [['alwaysApply', true]],
  // With `alwaysApply: false`, the model could also select the rule by its description.
  glob: ({ fields }) => [['globs', splitGlobs(fields.rule_globs ?? '')]],
  auto: ({ fields, description }) => [
    ['description', fields.rule_description ?? description],
    ['alwaysApply', false],
  ],
  explicit: ({ description }) => [
    ['description', description],
    ['invokable', true],
  ],
};
