import type { SandboxProfile } from '@catalog/core/artifact/types';
import type { Scope } from '@catalog/core/scope/scope-filter';
import type { PluginRule } from '@catalog/harness/marketplace/assign-plugins';
import type { WorkspaceScope } from '@catalog/harness/registry';
import type { RuleFallback } from '@catalog/core/artifact/types';
import type { HarnessSetting } from './harness-names.ts';
import type { CacheMode } from './cache-modes.ts';
import type { ContentRule } from '../trust/content-rule.ts';

/** Where a value came from, lowest first in precedence. */
export type OriginKind = 'built-in' | 'user' | 'workspace' | 'workspace-local' | 'env' | 'flag';

export interface Origin {
  kind: OriginKind;
  /** The file, variable or flag: `~/.catalog/sync.yaml`, `CATALOG_HARNESS`, `--harness`. */
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

/** One `sync.yaml`, checked. */
export interface SyncFile {
  defaults?: {
    registry?: string;
    harness?: HarnessSetting;
    target?: string;
    profile?: string;
    exclude?: string[];
    identity?: string;
    verify_signatures?: 'never';
    min_server_version?: string;
    unsupported?: 'fail' | 'skip';
    on_clash?: 'fail' | 'qualify';
    rule_fallback?: RuleFallback;
  };
  verify_signatures?: 'never';
  profiles?: Record<string, ProfileConfig>;
  targets?: TargetConfig[];
  adapters?: string[];
  materialize_hooks?: MaterializeHookConfig[];
  executable_content?: ContentRule[];
  /** The user's own file only. */
  safe_directories?: string[];
  /** The user's own file only. */
  object_hosts?: string[];
}

/**
 * Origins of the parts of a target. Trust follows each part: the file that lists a target can be the
 * user's own while a file of the workspace names its folder, or the registry.
 */
export interface TargetOrigins {
  /** The folder. */
  directory: readonly Origin[];
  /** Everything else that decides which files are written: the registry, the harness, the selection. */
  files: readonly Origin[];
}

/** A workspace target ready to run: every value resolved. */
export interface ResolvedTarget {
  id: string;
  /** Absolute. */
  directory: string;
  origins: TargetOrigins;
  harness: string;
  profile: string | undefined;
  scope: Scope;
  /** Undefined if no file sets it. */
  rule_fallback: RuleFallback | undefined;
}

/** A materialization hook ready to run (SPEC-62). */
export interface MaterializeHook {
  name: string;
  /** The program and its arguments; those that name a file of the person's are absolute. */
  run: readonly [string, ...string[]];
  sandbox: SandboxProfile;
  /** Undefined: all. */
  types: readonly string[] | undefined;
  harnesses: readonly string[] | undefined;
  timeout_ms: number;
  /** Absolute. */
  reads: readonly string[];
  /** The file that lists it. */
  file: ConfigFile;
}

/** When a command of a workflow runs. */
export type WorkflowStep = 'prepare' | 'publish' | 'prepare_on_error' | 'publish_on_error';

/** One command of a workflow: without a shell, or a line for one. */
export interface StepCommand {
  command: { run: string[] } | { sh: string };
  skip_if_no_changes: boolean;
  continue_on_error: boolean;
  /** Undefined: as long as it takes. */
  timeout_ms: number | undefined;
}

/** A marketplace target ready to run. */
export interface MarketplaceTarget {
  id: string;
  /** Absolute. */
  directory: string;
  origins: TargetOrigins;
  description: string | undefined;
  harnesses: string[];
  plugins: PluginRule[];
  /** Patterns of ids that no plugin may contain: `defaults.exclude`. */
  exclude: string[];
  /** Who publishes, for people to read. */
  identity: string | undefined;
  commit_message: string | undefined;
  /** Where it is published; undefined where only commands know. */
  git: { remote: string; branch: string } | undefined;
  /** Commit and push as `git` says. */
  publish: { author: string | undefined } | undefined;
  workflow: Readonly<Record<WorkflowStep, StepCommand[]>>;
  /** The file that lists it. */
  file: ConfigFile;
}

/** What the command line said; absent members were not given. */
export interface ConfigFlags {
  registry?: string;
  harness?: string;
  target?: string;
  profile?: string;
  /** `true`: every configured target; a path: those of that file, instead of the workspace's own. */
  config?: string | true;
  include?: string[];
  exclude?: string[];
  type?: string[];
  overlay?: string;
  unsupported?: 'fail' | 'skip';
  on_clash?: 'fail' | 'qualify';
  /** `user` makes the home folder the workspace. */
  scope?: 'user' | 'workspace';
}

export interface ConfigInput {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  flags: ConfigFlags;
  /** Text to read in place of one file: an edit that is checked before it is written. */
  edited?: { path: string; text: string };
}

/** One `sync.yaml` that was found. */
export interface ConfigFile {
  origin: Origin;
  /** Absolute; relative folders in the file start from `base`. */
  path: string;
  base: string;
  /** SHA-256 of the text that was read, `sha256:<hex>`: what somebody trusts. */
  hash: string;
  content: SyncFile;
}

/** A lowest version of catalog, and the file that asks for it. */
export interface MinServerVersion {
  version: string;
  place: string;
}

/** Who the caller is to a registry, and how that is found out. Of variables only, but for the provider. */
export interface IdentitySettings {
  provider: Sourced<string>;
  /** A token as it is; it goes before everything else. */
  token: Sourced<string> | undefined;
  session_token_file: Sourced<string> | undefined;
  session_token_env: Sourced<string>;
  /** The value a variable has now. */
  readVariable: (name: string) => string | undefined;
  /** The address for device authorization, which has this name for historical reasons. */
  authorization_endpoint: Sourced<string> | undefined;
  token_url: Sourced<string> | undefined;
  client_id: Sourced<string> | undefined;
  audience: Sourced<string> | undefined;
  scopes: Sourced<string> | undefined;
  /** The name tokens have in the keychain. */
  keychain_name: Sourced<string>;
  token_store: Sourced<string> | undefined;
  /** Where it is noted which registries somebody is signed in to. Absolute. */
  folder: string;
}

/** Everything a consumer command needs to know, each value with where it came from. */
export interface Config {
  /** The folder that holds `.catalog/`, or the working folder where none does. Absolute. */
  workspace: string;
  /** The file that configures this workspace; it need not exist. Absolute. */
  workspace_file: string;
  /** Whether the workspace is the home folder (`--scope user`): harnesses keep things elsewhere there. */
  scope: WorkspaceScope;
  /** The person's home folder. Absolute. */
  home: string;
  /** Absolute path or URL. */
  registry: Sourced<string> | undefined;
  /** One name, or several with commas. */
  harness: Sourced<string>;
  profile: Sourced<string> | undefined;
  target: Sourced<string>;
  /** `defaults.exclude` of each file that sets it, lowest precedence first; the lists add up. */
  exclude: Sourced<string[]>[];
  overlay: Sourced<string> | undefined;
  unsupported: Sourced<'fail' | 'skip'>;
  on_clash: Sourced<'fail' | 'qualify'>;
  rule_fallback: Sourced<RuleFallback> | undefined;
  /** Where what registries served is kept. Absolute. */
  cache: Sourced<string>;
  /** What happens when the registry cannot be reached; undefined where nobody says. */
  cache_mode: Sourced<CacheMode> | undefined;
  /** Workspaces of other users that the user trusts; of the user's own file only. */
  safe_directories: Sourced<string[]> | undefined;
  /** Hosts at private addresses that registries may name; of the user's own file only. */
  object_hosts: Sourced<string[]> | undefined;
  /** Which configuration files may run code. Absolute. */
  trust_file: string;
  /** Which executable content the user approved. Absolute. */
  approvals_file: string;
  /** `executable_content` of each file that sets it, lowest precedence first. */
  content_rules: { rules: ContentRule[]; origin: Origin }[];
  /** What this program, and the registry where it is a server, must be at least. */
  min_server_versions: MinServerVersion[];
  /** The usual proxy variables, as they are set. */
  proxy: Readonly<Record<string, string>>;
  /** Who the caller is to a registry that asks. */
  identity: IdentitySettings;
  /** What this run delivers to. */
  targets: ResolvedTarget[];
  /** The marketplaces of the same list; a run renders them only when it is asked to. */
  marketplaces: MarketplaceTarget[];
  /** Those of every file, the person's own first. */
  materialize_hooks: MaterializeHook[];
  /** What programs this one starts inherit. */
  env: Readonly<Record<string, string | undefined>>;
  /** Every target the files list, whether this run delivers to it or not. */
  configured_targets: string[];
  profiles: Map<string, Sourced<ProfileConfig>>;
  files: ConfigFile[];
  /** What `catalog config show` prints. */
  values: { key: string; value: unknown; origin: Origin }[];
  warnings: string[];
}
