import {
  MAX_PROSE,
  flag,
  listOf,
  mapOf,
  member,
  oneOf,
  text,
  wholeNumber,
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
  RULE_MODES,
  SANDBOX_PROFILES,
  SENSITIVITIES,
  type ArtifactFields,
  type FirstClassType,
  type SkillFields,
} from './types.ts';

/**
 * What a child that extends a parent gets for a key:
 * `child` its own value, else the parent's; `own` its own or none; `removed` none at all;
 * `version` its own, which it must have; `type` the one both must share; `deprecated` true if either
 * says so; `union` the parent's entries, then its own new ones; `concat` all of both, the parent's
 * first; `max-sensitivity`, `max-sandbox` the stricter; `direct-only` that if either says so, else as
 * `child`; `mcp-servers` by server name; `runtime-requirements` member by member.
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
  | 'max-sensitivity'
  | 'max-sandbox'
  | 'direct-only'
  | 'mcp-servers'
  | 'runtime-requirements';

/** The frontmatter of both files. */
export type FrontmatterFields = Partial<ArtifactFields & SkillFields>;

/** The file a key belongs to. For a skill, a key of `both` belongs to `SKILL.md`. */
export type KeyFile = 'artifact' | 'skill' | 'both';

/** One key of the frontmatter, with everything the program knows of it. */
export interface FrontmatterKey extends Member<FrontmatterFields> {
  name: keyof FrontmatterFields;
  file: KeyFile;
  merge: MergeRule;
  /** The types it means something for; undefined for all. */
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

/** A day in seconds: counted in parts of one, more is beyond what products take for a time-out. */
export const LONGEST_HOOK_TIMEOUT = 86_400;

/** Every key of the frontmatter that means something. Others are kept and served as they are. */
export const FRONTMATTER_KEYS: readonly FrontmatterKey[] = [
  key('type', {
    merge: 'type',
    check: artifactType,
    summary:
      'What the artifact is: skill, agent, rule, command, hook, context, mcp-server, or an extension type.',
  }),
  key('version', {
    merge: 'version',
    check: artifactVersion,
    summary: 'The version, raised whenever anything in the package changes.',
  }),
  key('name', {
    file: 'both',
    check: artifactName,
    summary:
      'The name a harness shows; for a skill the name of its folder. Without one, the last part of the id.',
  }),
  key('description', {
    file: 'both',
    check: text(MAX_PROSE),
    summary: 'What it does and when to use it: what search and agents decide by.',
  }),
  key('license', { file: 'both', check: text(), summary: 'The licence, as an SPDX expression.' }),
  key('when_to_use', {
    merge: 'concat',
    check: listOf(text(MAX_PROSE)),
    summary: 'Situations that call for it, one sentence each.',
  }),
  key('tags', { merge: 'union', check: listOf(text(64)), summary: 'Words to filter by.' }),
  key('sensitivity', {
    merge: 'max-sensitivity',
    check: oneOf(SENSITIVITIES),
    summary: 'How much harm its disclosure would do; left out, it counts as low.',
  }),
  key('search_visibility', {
    merge: 'direct-only',
    check: oneOf(['indexed', 'direct-only']),
    summary: 'Whether search finds it (`indexed`, the default) or only its id does.',
  }),
  key('deprecated', {
    merge: 'deprecated',
    check: flag(),
    summary: 'Marks this version as one to move away from.',
  }),
  key('replaced_by', { check: text(), summary: 'The id of what to use instead.' }),
  key('release_notes', { check: text(MAX_PROSE), summary: 'What changed in this version.' }),
  key('audit_redact', {
    check: listOf(text(64)),
    summary: 'Keys whose values the audit log hides.',
  }),
  key('lint_suppress', {
    check: listOf(text(64)),
    summary: 'Advisory lint rules that do not apply here.',
  }),
  key('source', {
    check: text(),
    summary: 'Where the text came from; anything but `authored` is delivered as untrusted data.',
  }),
  key('extends', {
    merge: 'removed',
    check: text(),
    summary:
      'The artifact this one builds on: an id, with `@` and a version, range or hash to pin it.',
  }),
  key('target_harnesses', {
    check: listOf(text(64)),
    summary: 'The only harnesses it is delivered to; left out, all of them.',
  }),
  key('external_resources', {
    merge: 'concat',
    check: listOf(externalResource),
    summary: 'Files too large to bundle, by address and hash.',
  }),
  key('signature', {
    merge: 'own',
    check: text(MAX_PROSE),
    summary: 'A signature over the content hash.',
  }),
  key('mcpServers', {
    merge: 'mcp-servers',
    check: listOf(mcpServer),
    summary: 'The MCP servers it needs.',
  }),
  key('requiresApproval', {
    merge: 'concat',
    check: listOf(requiredApproval),
    summary: 'Tools a person has to approve before they run.',
  }),
  key('runtime_requirements', {
    merge: 'runtime-requirements',
    check: runtimeRequirements,
    summary: 'What its scripts need on the machine.',
  }),
  key('sandbox_profile', {
    merge: 'max-sandbox',
    check: oneOf(SANDBOX_PROFILES),
    summary: 'How far its scripts have to be shut in.',
  }),
  key('effort_hint', {
    types: HINTED,
    check: oneOf(['low', 'medium', 'high', 'max']),
    summary: 'How hard a model should think.',
  }),
  key('model_class_hint', {
    types: HINTED,
    check: oneOf(['nano', 'small', 'medium', 'large', 'frontier']),
    summary: 'How large a model it was written for.',
  }),
  key('sbom', { check: softwareBill, summary: 'Its bill of materials.' }),
  key('input', {
    types: ['agent'],
    check: schemaReference,
    summary: 'The schema of what it takes: a bundled file, or `$ref` to one.',
  }),
  key('output', {
    types: ['agent'],
    check: schemaReference,
    summary: 'The schema of what it gives back: a bundled file, or `$ref` to one.',
  }),
  key('delegates_to', {
    types: ['agent'],
    merge: 'concat',
    check: listOf(text()),
    summary: 'Artifacts it hands work to, by id, pinned or not.',
  }),
  key('rule_mode', {
    types: ['rule'],
    check: oneOf(RULE_MODES, 'lint.unknown_rule_mode'),
    summary:
      'When the rule applies: always (the default), for files that match `rule_globs`, when its `rule_description` fits, or when it is named.',
  }),
  key('rule_globs', {
    types: ['rule'],
    check: text(MAX_PROSE),
    summary: 'The files of a `glob` rule: patterns separated by commas.',
  }),
  key('rule_description', {
    types: ['rule'],
    check: text(MAX_PROSE),
    summary: 'When an `auto` rule applies, in words.',
  }),
  key('hook_event', {
    types: ['hook'],
    check: oneOf(HOOK_EVENTS, 'lint.unknown_hook_event'),
    summary: 'The event that runs the hook.',
  }),
  key('hook_action', {
    types: ['hook'],
    check: text(MAX_PROSE),
    summary: 'The command the hook runs; the event arrives as JSON on its standard input.',
  }),
  key('hook_timeout', {
    types: ['hook'],
    check: wholeNumber(1, LONGEST_HOOK_TIMEOUT),
    summary: 'Seconds the command may take; what the harness allows where absent.',
  }),
  key('hook_matcher', {
    types: ['hook'],
    check: text(MAX_PROSE),
    summary:
      'The tools or situations that run the hook, in the syntax of the target harness. Ignored by harnesses without matchers and for events that imply a tool, such as `pre_read_file`.',
  }),
  key('server_identifier', {
    types: ['mcp-server'],
    check: text(),
    summary: 'The server in short, such as `npx:warehouse-mcp`.',
  }),
  key('command', {
    types: ['mcp-server'],
    check: text(),
    summary: 'The program that starts the server.',
  }),
  key('args', {
    types: ['mcp-server'],
    check: listOf(text(MAX_PROSE)),
    summary: 'The arguments of `command`.',
  }),
  key('env', {
    types: ['mcp-server'],
    check: mapOf(text(MAX_PROSE)),
    summary: 'Variables for `command`; a secret is written `${secret:NAME}`.',
  }),
  key('url', { types: ['mcp-server'], check: text(), summary: 'The address of a remote server.' }),
  key('headers', {
    types: ['mcp-server'],
    check: mapOf(text(MAX_PROSE)),
    summary: 'Headers for `url`; a secret is written `${secret:NAME}`.',
  }),
  key('transport', {
    types: ['mcp-server'],
    check: text(64),
    summary: 'How the server is spoken to: `stdio`, `http` or `sse`.',
  }),
  key('compatibility', {
    file: 'skill',
    check: text(MAX_PROSE),
    summary: 'What the skill needs from its surroundings, in words.',
  }),
  key('metadata', {
    file: 'skill',
    check: skillMetadata,
    summary:
      'Anything more, as names and texts; `version` is the version of a skill without ARTIFACT.md.',
  }),
  key('allowed-tools', {
    file: 'skill',
    check: allowedTools,
    summary: 'Tools that may run without asking, separated by spaces or as a list.',
  }),
];

function keysOf(...files: readonly KeyFile[]): ReadonlyMap<string, FrontmatterKey> {
  return new Map(
    FRONTMATTER_KEYS.filter((row) => files.includes(row.file)).map((row) => [row.name, row]),
  );
}

/** The keys `ARTIFACT.md` may have. */
export const ARTIFACT_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('artifact', 'both');
/** The keys `SKILL.md` may have. */
export const SKILL_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('skill', 'both');
/** The keys of the catalog, which a skill keeps out of `SKILL.md`. */
export const CATALOG_ONLY_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('artifact');
/** The keys a skill keeps in `SKILL.md`, and out of its `ARTIFACT.md` (both of them would drift). */
export const SHARED_KEYS: ReadonlyMap<string, FrontmatterKey> = keysOf('both');
