import type { Json, JsonObject } from '../json.ts';

export const FIRST_CLASS_TYPES = [
  'skill',
  'agent',
  'context',
  'command',
  'rule',
  'hook',
  'mcp-server',
] as const;
export type FirstClassType = (typeof FIRST_CLASS_TYPES)[number];

export const LISTED_TYPES = [
  'skill',
  'agent',
  'command',
  'rule',
  'hook',
  'mcp-server',
  'context',
] as const satisfies readonly FirstClassType[];

export const RULE_MODES = ['always', 'glob', 'auto', 'explicit'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

export const RULE_FALLBACKS = ['always', 'skill', 'skip'] as const;
export type RuleFallback = (typeof RULE_FALLBACKS)[number];

export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const SANDBOX_PROFILES = [
  'unrestricted',
  'read-only-fs',
  'network-isolated',
  'seccomp-strict',
] as const;
export type SandboxProfile = (typeof SANDBOX_PROFILES)[number];

export const HOOK_EVENTS = [
  'session_start',
  'session_end',
  'user_prompt_submit',
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'pre_shell_execution',
  'post_shell_execution',
  'pre_mcp_execution',
  'post_mcp_execution',
  'pre_read_file',
  'post_file_edit',
  'permission_request',
  'permission_denied',
  'subagent_start',
  'subagent_stop',
  'stop',
  'pre_compact',
  'post_compact',
  'notification',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** File of a package. `path` is relative to the package and uses `/`. */
export interface PackageFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** An artifact in a layer, exactly as authored. */
export interface AuthoredPackage {
  id: string;
  layer: string;
  /** `ARTIFACT.md`; undefined for a bare skill (SPEC-49). */
  manifest: Uint8Array | undefined;
  skill: Uint8Array | undefined;
  /** All other files; paths in byte order. */
  resources: PackageFile[];
}

export interface McpServerField {
  name: string;
  transport?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

export interface RuntimeRequirements {
  python?: string;
  node?: string;
  system_packages?: string[];
}

export interface ExternalResource {
  path: string;
  url: string;
  sha256: string;
  size?: number;
  signature?: string;
}

export interface ArtifactFields {
  type: string;
  version: string;
  name?: string;
  description?: string;
  when_to_use?: string[];
  tags?: string[];
  sensitivity?: Sensitivity;
  license?: string;
  search_visibility?: 'indexed' | 'direct-only';
  deprecated?: boolean;
  replaced_by?: string;
  release_notes?: string;
  audit_redact?: string[];
  lint_suppress?: string[];
  source?: string;
  imported_from?: string;
  mcpServers?: McpServerField[];
  requiresApproval?: { tool: string; reason?: string }[];
  runtime_requirements?: RuntimeRequirements;
  sandbox_profile?: SandboxProfile;
  effort_hint?: 'low' | 'medium' | 'high' | 'max';
  model_class_hint?: 'nano' | 'small' | 'medium' | 'large' | 'frontier';
  sbom?: { format: string; ref: string };
  input?: Json;
  output?: Json;
  delegates_to?: string[];
  rule_mode?: RuleMode;
  rule_globs?: string;
  rule_description?: string;
  rule_fallback?: RuleFallback;
  hook_event?: HookEvent;
  hook_action?: string;
  hook_timeout?: number;
  hook_matcher?: string;
  server_identifier?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  headers?: Record<string, string>;
  url?: string;
  transport?: string;
  allowed_tools?: string[];
  denied_tools?: string[];
  timeout?: number;
  signature?: string;
  extends?: string;
  target_harnesses?: string[];
  external_resources?: ExternalResource[];
}

/** Frontmatter of `SKILL.md`, defined by the Agent Skills open specification. */
export interface SkillFields {
  name?: string;
  description?: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, string>;
  'allowed-tools'?: string | string[];
}

export interface Manifest {
  file: string;
  text: string;
  /** YAML between the `---` lines. */
  frontmatter: string;
  /** All keys in the order of the source. The object has no prototype. */
  values: JsonObject;
  body: string;
  /** Line of `text` at which `body` starts; 1-based. */
  body_line: number;
}

export interface Artifact {
  id: string;
  layer: string;
  type: string;
  version: string;
  /** Value of the key `name`, or else the last segment of the id. For a skill, the key in `SKILL.md`. */
  name: string;
  /** A skill's description comes from `SKILL.md`. */
  description: string;
  fields: ArtifactFields;
  /** Content of `ARTIFACT.md`; undefined for a skill without one. */
  manifest: Manifest | undefined;
  skill: Manifest | undefined;
  skill_fields: SkillFields | undefined;
  /** Body of `SKILL.md` for a skill, otherwise of `ARTIFACT.md`. */
  body: string;
  resources: PackageFile[];
  /** SHA-256 hash of the served content, as `sha256:<hex>` (SPEC-27). */
  content_hash: string;
  authored_hash: string;
}
