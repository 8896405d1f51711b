import type { SandboxProfile } from '@catalog/core/artifact/types';
import type { Scope } from '@catalog/core/scope/scope-filter';
import type { PluginRule } from '@catalog/harness/marketplace/assign-plugins';
import type { WorkspaceScope } from '@catalog/harness/registry';
import type { RuleFallback } from '@catalog/core/artifact/types';
import type { HarnessSetting } from './harness-names.ts';
import type { CacheMode } from './cache-modes.ts';
import type { SignaturePolicy } from '../signing/signature-policy.ts';
import type { ContentRule } from '../trust/content-rule.ts';

/** Origin of a setting, lowest precedence first. */
export type OriginKind = 'built-in' | 'user' | 'workspace' | 'workspace-local' | 'env' | 'flag';

export interface Origin {
  kind: OriginKind;
  name: string;
}

export interface Sourced<T> {
  value: T;
  origin: Origin;
}

export interface ProfileConfig {
  include?: string[];
  exclude?: string[];
  type?: string[];
  target?: string;
  harness?: HarnessSetting;
  min_server_version?: string;
}

export interface WorkflowCommand {
  run?: string[];
  sh?: string;
  skip_if_no_changes?: boolean;
  continue_on_error?: boolean;
  timeout?: string;
}

export interface TargetConfig {
  id: string;
  kind?: 'workspace' | 'marketplace';
  target?: string;
  harness?: HarnessSetting;
  profile?: string;
  include?: string[];
  exclude?: string[];
  type?: string[];
  rule_fallback?: RuleFallback;
  harnesses?: string[];
  git?: { remote: string; branch?: string };
  description?: string;
  publish?: { git: { remote?: string; branch?: string; author?: string } };
  commit_message?: string;
  identity?: string;
  plugins?: {
    name: string;
    description?: string;
    include?: string[];
    exclude?: string[];
    type?: string[];
  }[];
  workflow?: {
    prepare?: WorkflowCommand[];
    publish?: WorkflowCommand[];
    prepare_on_error?: WorkflowCommand[];
    publish_on_error?: WorkflowCommand[];
  };
}

export interface MaterializeHookConfig {
  name: string;
  run: string[];
  sandbox: SandboxProfile;
  types?: string[];
  harnesses?: string[];
  timeout?: string;
  reads?: string[];
}

export interface SyncFile {
  defaults?: {
    registry?: string;
    harness?: HarnessSetting;
    target?: string;
    profile?: string;
    exclude?: string[];
    identity?: string;
    verify_signatures?: SignaturePolicy;
    min_server_version?: string;
    unsupported?: 'fail' | 'skip';
    on_clash?: 'fail' | 'qualify';
    rule_fallback?: RuleFallback;
  };
  verify_signatures?: SignaturePolicy;
  registry_keys?: { registry: string; keys?: string[]; root_key?: string }[];
  profiles?: Record<string, ProfileConfig>;
  targets?: TargetConfig[];
  adapters?: string[];
  materialize_hooks?: MaterializeHookConfig[];
  executable_content?: ContentRule[];
  safe_directories?: string[];
  object_hosts?: string[];
}

/**
 * Origins of the parts of a target, each of which must be trusted: the user's own file can contain a target whose
 * folder or registry comes from the workspace.
 */
export interface TargetOrigins {
  directory: readonly Origin[];
  /** Origins of the settings that determine which files are written: registry, harness, selection. */
  files: readonly Origin[];
}

export interface ResolvedTarget {
  id: string;
  directory: string;
  origins: TargetOrigins;
  harness: string;
  profile: string | undefined;
  scope: Scope;
  rule_fallback: RuleFallback | undefined;
}

/** A resolved materialization hook (SPEC-62). */
export interface MaterializeHook {
  name: string;
  /** Program and arguments; paths are absolute. */
  run: readonly [string, ...string[]];
  sandbox: SandboxProfile;
  /** Artifact types; undefined for all. */
  types: readonly string[] | undefined;
  harnesses: readonly string[] | undefined;
  timeout_ms: number;
  reads: readonly string[];
  file: ConfigFile;
}

export type WorkflowStep = 'prepare' | 'publish' | 'prepare_on_error' | 'publish_on_error';

/** Command of a workflow: a list of arguments without a shell, or a line for a shell. */
export interface StepCommand {
  command: { run: string[] } | { sh: string };
  skip_if_no_changes: boolean;
  continue_on_error: boolean;
  /** Timeout; undefined for none. */
  timeout_ms: number | undefined;
}

export interface MarketplaceTarget {
  id: string;
  directory: string;
  origins: TargetOrigins;
  description: string | undefined;
  harnesses: string[];
  plugins: PluginRule[];
  exclude: string[];
  identity: string | undefined;
  commit_message: string | undefined;
  /** Repository to publish to; undefined if only commands publish. */
  git: { remote: string; branch: string } | undefined;
  /** If set, the files are committed and pushed to `git`. */
  publish: { author: string | undefined } | undefined;
  workflow: Readonly<Record<WorkflowStep, StepCommand[]>>;
  file: ConfigFile;
}

export interface ConfigFlags {
  registry?: string;
  harness?: string;
  target?: string;
  profile?: string;
  /** `true` selects all configured targets; a path, those in that file. */
  config?: string | true;
  include?: string[];
  exclude?: string[];
  type?: string[];
  overlay?: string;
  unsupported?: 'fail' | 'skip';
  on_clash?: 'fail' | 'qualify';
  /** `user` means that the home folder is the workspace. */
  scope?: 'user' | 'workspace';
}

export interface ConfigInput {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  flags: ConfigFlags;
  /** File whose content is replaced, to validate an edit before writing it. */
  edited?: { path: string; text: string };
}

export interface ConfigFile {
  origin: Origin;
  path: string;
  base: string;
  /** Hash of the content that is trusted, as `sha256:<hex>`. */
  hash: string;
  content: SyncFile;
}

export interface MinServerVersion {
  version: string;
  place: string;
}

/** Keys that a configuration file trusts for a registry. */
export interface PinnedKeys {
  /** Origin of the registry. */
  origin: string;
  keys: readonly string[];
  root_key: string | undefined;
  from: Origin;
}

export interface SigningSettings {
  policy: Sourced<SignaturePolicy>;
  pins: readonly PinnedKeys[];
}

/** Identity settings. All except the provider come from environment variables. */
export interface IdentitySettings {
  provider: Sourced<string>;
  /** Token that overrides all other settings. */
  token: Sourced<string> | undefined;
  session_token_file: Sourced<string> | undefined;
  session_token_env: Sourced<string>;
  readVariable: (name: string) => string | undefined;
  /** Endpoint of the device flow; the name of the setting is historical. */
  authorization_endpoint: Sourced<string> | undefined;
  token_url: Sourced<string> | undefined;
  client_id: Sourced<string> | undefined;
  audience: Sourced<string> | undefined;
  scopes: Sourced<string> | undefined;
  keychain_name: Sourced<string>;
  token_store: Sourced<string> | undefined;
  folder: string;
}

export interface Config {
  /** Folder that contains `.catalog/`, or else the working folder. */
  workspace: string;
  /** Path of the workspace file, which need not exist. */
  workspace_file: string;
  /** `user` if the workspace is the home folder, where harnesses use other paths. */
  scope: WorkspaceScope;
  home: string;
  /** Registry, as an absolute path or a URL. */
  registry: Sourced<string> | undefined;
  /** Harness; several are separated by commas. */
  harness: Sourced<string>;
  profile: Sourced<string> | undefined;
  target: Sourced<string>;
  /** Excluded ids; the lists of all files are combined. */
  exclude: Sourced<string[]>[];
  overlay: Sourced<string> | undefined;
  unsupported: Sourced<'fail' | 'skip'>;
  on_clash: Sourced<'fail' | 'qualify'>;
  rule_fallback: Sourced<RuleFallback> | undefined;
  cache: Sourced<string>;
  cache_mode: Sourced<CacheMode> | undefined;
  /** Trusted workspaces of other users; only the user's own file can set them. */
  safe_directories: Sourced<string[]> | undefined;
  /** Hosts with private addresses that registries may refer to; only the user's own file can set them. */
  object_hosts: Sourced<string[]> | undefined;
  trust_file: string;
  approvals_file: string;
  /** Rules for executable content, lowest precedence first. */
  content_rules: { rules: ContentRule[]; origin: Origin }[];
  min_server_versions: MinServerVersion[];
  proxy: Readonly<Record<string, string>>;
  identity: IdentitySettings;
  signing: SigningSettings;
  targets: ResolvedTarget[];
  /** Marketplaces, rendered only if the run requests it. */
  marketplaces: MarketplaceTarget[];
  /** Hooks, the user's own first. */
  materialize_hooks: MaterializeHook[];
  env: Readonly<Record<string, string | undefined>>;
  /** All configured targets, including those that do not run. */
  configured_targets: string[];
  profiles: Map<string, Sourced<ProfileConfig>>;
  files: ConfigFile[];
  values: { key: string; value: unknown; origin: Origin }[];
  warnings: string[];
}
