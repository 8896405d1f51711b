import {
  MAX_PROSE,
  flag,
  listOf,
  mapOf,
  member,
  oneOf,
  text,
  integerBetween,
  type Check,
  type Member,
} from '../manifest/field-checks.ts';
import {
  allowedTools,
  artifactName,
  artifactType,
  artifactVersion,
  externalResource,
  mcpServer,
  requiredApproval,
  runtimeRequirements,
  schemaReference,
  skillMetadata,
  softwareBill,
} from './field-types.ts';
import {
  HOOK_EVENTS,
  RULE_FALLBACKS,
  RULE_MODES,
  SANDBOX_PROFILES,
  SENSITIVITIES,
  type ArtifactFields,
  type FirstClassType,
  type SkillFields,
} from './types.ts';

/**
 * Rule that merges a key of a child with the key of its parent.
 *
 * `child`: the child's value, or else the parent's. `own`: only the child's value. `removed`: always absent. `version`:
 * the child's value, which is required. `type`: the type, which is equal. `deprecated`: true if either is. `union`: the
 * parent's entries, then new entries of the child. `concat`: all entries, the parent's first. `intersection`: the
 * entries of both, if both have the key. `max-sensitivity` and `max-sandbox`: the stricter value. `direct-only`: this
 * value if either has it, otherwise like `child`. `mcp-servers`: by server name. `runtime-requirements`: member by
 * member.
 */
export type MergeRule =
  | 'child'
  | 'own'
  | 'removed'
  | 'version'
  | 'type'
  | 'deprecated'
  | 'union'
  | 'concat'
  | 'intersection'
  | 'max-sensitivity'
  | 'max-sandbox'
  | 'direct-only'
  | 'mcp-servers'
  | 'runtime-requirements';

/** Fields of the frontmatter of an artifact and a skill, all optional. */
export type FrontmatterFields = Partial<ArtifactFields & SkillFields>;

/** File of a key. In a skill, a key of `both` belongs to `SKILL.md`. */
export type KeyFile = 'artifact' | 'skill' | 'both';

/** Definition of a frontmatter key: its file, value check, merge rule and summary. */
export interface FrontmatterKey extends Member<FrontmatterFields> {
  name: keyof FrontmatterFields;
  file: KeyFile;
  merge: MergeRule;
  /** Artifact types that use the key; undefined for all. */
  types: readonly FirstClassType[] | undefined;
  summary: string;
}

interface KeyFacts<T> {
  file?: KeyFile;
  merge?: MergeRule;
  types?: readonly FirstClassType[];
  check: Check<T>;
  summary: string;
}

function key<K extends keyof FrontmatterFields>(
  name: K,
  facts: KeyFacts<NonNullable<FrontmatterFields[K]>>,
): FrontmatterKey {
  return {
    ...member<FrontmatterFields, K>(name, facts.check),
    name,
    file: facts.file ?? 'artifact',
    merge: facts.merge ?? 'child',
    types: facts.types,
    summary: facts.summary,
  };
}

const HINTED: readonly FirstClassType[] = ['agent', 'skill', 'command'];

/** One day in seconds. Harnesses that count in smaller units do not support a longer timeout. */
export const MAX_HOOK_TIMEOUT = 86_400;

/** All known frontmatter keys. Unknown keys are stored and served unchanged. */
export const FRONTMATTER_KEYS: readonly FrontmatterKey[] = [
  key('type', {
    merge: 'type',
    check: artifactType,
    summary:
      'Artifact type: skill, agent, rule, command, hook, context, mcp-server, or an extension type.',
  }),
  key('version', {
    merge: 'version',
    check: artifactVersion,
    summary: 'Version; increase it with every change to the package.',
  }),
  key('name', {
    file: 'both',
    check: artifactName,
    summary:
      'Name shown by harnesses; for a skill, the name of its folder. Defaults to the last segment of the id.',
  }),
  key('description', {
    file: 'both',
    check: text(MAX_PROSE),
    summary: 'Purpose of the artifact and when to use it; search and agents choose by it.',
  }),
  key('license', { file: 'both', check: text(), summary: 'License, as an SPDX expression.' }),
  key('when_to_use', {
    merge: 'concat',
    check: listOf(text(MAX_PROSE)),
    summary: 'Situations in which to use the artifact, one sentence each.',
  }),
  key('tags', { merge: 'union', check: listOf(text(64)), summary: 'Keywords to filter by.' }),
  key('sensitivity', {
    merge: 'max-sensitivity',
    check: oneOf(SENSITIVITIES),
    summary: 'How harmful a disclosure would be. Defaults to low.',
  }),
  key('search_visibility', {
    merge: 'direct-only',
    check: oneOf(['indexed', 'direct-only']),
    summary:
      'Whether search finds the artifact (`indexed`, the default) or it is reachable only by its id.',
  }),
  key('deprecated', {
    merge: 'deprecated',
    check: flag(),
    summary: 'Marks this version as deprecated.',
  }),
  key('replaced_by', { check: text(), summary: 'Id of the artifact to use instead.' }),
  key('release_notes', { check: text(MAX_PROSE), summary: 'Changes in this version.' }),
  key('audit_redact', {
    check: listOf(text(64)),
    summary:
      'Fields that records of reads replace by `[redacted]`: `id`, `name`, `tags`, or `layer`.',
  }),
  key('lint_suppress', {
    check: listOf(text(64)),
    summary: 'Advisory lint rules to suppress for this artifact.',
  }),
  key('source', {
    check: text(),
    summary: 'Origin of the content; anything but `authored` is delivered as untrusted data.',
  }),
  key('imported_from', {
    check: text(),
    summary:
      'Plugin or registry entry that `catalog adopt` made the artifact of. Not sent to harnesses.',
  }),
  key('extends', {
    merge: 'removed',
    check: text(),
    summary: 'Artifact to extend: an id, optionally pinned with `@` and a version, range, or hash.',
  }),
  key('target_harnesses', {
    check: listOf(text(64)),
    summary: 'Harnesses the artifact is delivered to. Defaults to all.',
  }),
  key('external_resources', {
    merge: 'concat',
    check: listOf(externalResource),
    summary: 'Files too large to bundle, by URL and hash. Not supported yet: lint rejects the key.',
  }),
  key('signature', {
    merge: 'own',
    check: text(MAX_PROSE),
    summary: 'Signature over the content hash.',
  }),
  key('mcpServers', {
    merge: 'mcp-servers',
    check: listOf(mcpServer),
    summary: 'MCP servers the artifact requires.',
  }),
  key('requiresApproval', {
    merge: 'concat',
    check: listOf(requiredApproval),
    summary: "Tools that need the user's approval before they run.",
  }),
  key('runtime_requirements', {
    merge: 'runtime-requirements',
    check: runtimeRequirements,
    summary: 'Runtimes and packages the scripts require on the machine.',
  }),
  key('sandbox_profile', {
    merge: 'max-sandbox',
    check: oneOf(SANDBOX_PROFILES),
    summary: 'Sandbox profile the scripts require.',
  }),
  key('effort_hint', {
    types: HINTED,
    check: oneOf(['low', 'medium', 'high', 'max']),
    summary: 'Suggested reasoning effort for the model.',
  }),
  key('model_class_hint', {
    types: HINTED,
    check: oneOf(['nano', 'small', 'medium', 'large', 'frontier']),
    summary: 'Suggested size of the model.',
  }),
  key('sbom', { check: softwareBill, summary: 'Software bill of materials (SBOM).' }),
  key('input', {
    types: ['agent'],
    check: schemaReference,
    summary: 'Schema of the input: a bundled file, or a `$ref` to one.',
  }),
  key('output', {
    types: ['agent'],
    check: schemaReference,
    summary: 'Schema of the output: a bundled file, or a `$ref` to one.',
  }),
  key('delegates_to', {
    types: ['agent'],
    merge: 'concat',
    check: listOf(text()),
    summary: 'Ids of artifacts this one delegates to, pinned or not.',
  }),
  key('rule_mode', {
    types: ['rule'],
    check: oneOf(RULE_MODES, 'lint.unknown_rule_mode'),
    summary:
      'When the rule applies: always (the default), for files that match `rule_globs`, when `rule_description` fits the task, or when the user names it.',
  }),
  key('rule_globs', {
    types: ['rule'],
    check: text(MAX_PROSE),
    summary: 'File patterns of a `glob` rule, separated by commas.',
  }),
  key('rule_description', {
    types: ['rule'],
    check: text(MAX_PROSE),
    summary: 'Description of when an `auto` rule applies.',
  }),
  key('rule_fallback', {
    types: ['rule'],
    check: oneOf(RULE_FALLBACKS),
    summary:
      'Handling of the rule in a harness that does not support its mode: `always` load it, deliver it as a `skill`, or `skip` it. The same setting in `sync.yaml` takes precedence.',
  }),
  key('hook_event', {
    types: ['hook'],
    check: oneOf(HOOK_EVENTS, 'lint.unknown_hook_event'),
    summary: 'Event that runs the hook.',
  }),
  key('hook_action', {
    types: ['hook'],
    check: text(MAX_PROSE),
    summary: 'Command that the hook runs; it receives the event as JSON on standard input.',
  }),
  key('hook_timeout', {
    types: ['hook'],
    check: integerBetween(1, MAX_HOOK_TIMEOUT),
    summary: "Timeout of the command in seconds. Defaults to the harness's own timeout.",
  }),
  key('hook_matcher', {
    types: ['hook'],
    check: text(MAX_PROSE),
    summary:
      'Tools that run the hook: `*`, names separated by `|` or `,`, or a regular expression, compared with canonical and native names. Ignored for events that imply a tool, such as `pre_read_file`.',
  }),
  key('server_identifier', {
    types: ['mcp-server'],
    check: text(),
    summary: 'Short form of the server, such as `npx:warehouse-mcp`.',
  }),
  key('command', {
    types: ['mcp-server'],
    check: text(),
    summary: 'Program that starts the server.',
  }),
  key('args', {
    types: ['mcp-server'],
    check: listOf(text(MAX_PROSE)),
    summary: 'Arguments of `command`.',
  }),
  key('env', {
    types: ['mcp-server'],
    check: mapOf(text(MAX_PROSE)),
    summary: 'Environment variables for `command`; write a secret as `${secret:NAME}`.',
  }),
  key('url', { types: ['mcp-server'], check: text(), summary: 'URL of a remote server.' }),
  key('headers', {
    types: ['mcp-server'],
    check: mapOf(text(MAX_PROSE)),
    summary: 'HTTP headers for `url`; write a secret as `${secret:NAME}`.',
  }),
  key('transport', {
    types: ['mcp-server'],
    check: text(64),
    summary: 'Transport: `stdio`, `http`, or `sse`.',
  }),
  key('allowed_tools', {
    types: ['mcp-server'],
    merge: 'intersection',
    check: listOf(text(256)),
    summary: 'Tools the server may offer, by their own names. Defaults to all.',
  }),
  key('denied_tools', {
    types: ['mcp-server'],
    merge: 'union',
    check: listOf(text(256)),
    summary: 'Tools the server must not offer, also if `allowed_tools` has them.',
  }),
  key('timeout', {
    types: ['mcp-server'],
    check: integerBetween(1, MAX_HOOK_TIMEOUT),
    summary: "Time limit of a tool call in seconds. Defaults to the harness's own.",
  }),
  key('compatibility', {
    file: 'skill',
    check: text(MAX_PROSE),
    summary: 'Requirements of the skill on its environment, in words.',
  }),
  key('metadata', {
    file: 'skill',
    check: skillMetadata,
    summary:
      'Additional string values by name; `version` is the version of a skill without ARTIFACT.md.',
  }),
  key('allowed-tools', {
    file: 'skill',
    check: allowedTools,
    summary: 'Tools that may run without approval, separated by spaces or as a list.',
  }),
];

function keysOf(...files: readonly KeyFile[]): ReadonlyMap<string, FrontmatterKey> {
  return new Map(
    FRONTMATTER_KEYS.filter((row) => files.includes(row.file)).map((row) => [row.name, row]),
  );
}

/** Frontmatter keys that are not specific to `SKILL.md`, by name. */
export const ARTIFACT_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('artifact', 'both');
/** Frontmatter keys that `SKILL.md` supports, by name. */
export const SKILL_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('skill', 'both');
/** Keys of catalog itself, which `SKILL.md` must not contain. */
export const CATALOG_ONLY_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('artifact');
/** Keys that only the `SKILL.md` of a skill contains, because copies in `ARTIFACT.md` would diverge. */
export const SHARED_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('both');
