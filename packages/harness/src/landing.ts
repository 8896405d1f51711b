import type { Artifact, HookEvent, RuleMode } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type {
  AlsoRead,
  FileOperation,
  ManagedEntry,
  McpConfig,
  OtherSystem,
  PlaceContext,
  ReadSettings,
  Refused,
  RulesImport,
  RulesLimit,
  Support,
  Untranslatable,
} from './adapter.ts';
import type { AdoptReaders } from './adopt/adopt-source.ts';
import type { ListingBudget } from './budget/listing-budget.ts';
import type { HookEventTable, NativeHook } from './hook-event-table.ts';
import type { MarketplaceFormat } from './marketplace/format.ts';
import type { ArgumentForm } from './place/command-arguments.ts';
import type { OwnedPlace } from './owned-place.ts';
import type { HookMatching } from './shim/hook-matcher.ts';
import type { SupportedKeys } from './place/authored-keys.ts';

/**
 * Paths are templates relative to the target: `{name}` is the file name stem, `{id}` the artifact id.
 * Functions are needed only for formats.
 */
export interface HarnessDeclaration extends Landings {
  id: string;
  summary: string;
  /** Defaults to the id. */
  label?: string;
  revision: number;
  detect: readonly string[];
  marketplace?: MarketplaceFormat | Refused;
  /** Set only if a source documents it. */
  budget?: ListingBudget;
  also_reads?: readonly AlsoRead[];
  rules_import?: RulesImport;
  /** Set only if a source documents it. */
  rules_limit?: RulesLimit;
  reads_settings?: ReadSettings;
  /** Written by a former release and not by this one. */
  former?: readonly OwnedPlace[];
  adopt?: AdoptReaders;
  /** Destinations that differ if the home directory is the workspace (`--scope user`). */
  user?: Partial<Landings>;
  /** Systems other than Linux. */
  user_on?: Readonly<Record<OtherSystem, Partial<Landings>>>;
}

export interface Landings {
  skill: SkillLanding | Refused;
  agent: DocumentLanding | Refused;
  command: DocumentLanding | Refused;
  rule: RuleLanding | Refused;
  hook: HookEntryLanding | HookFileLanding | Refused;
  mcp_server: McpConfig | Refused;
  /** Every harness writes `context` to `.catalog/context/{id}/` unless it rejects all files. */
  context?: Refused;
  /**
   * Set if the product does not load this directory: a rule then references the file. Not for a product
   * that rejects rules.
   */
  context_pointer?: true;
  /** Defaults to `.catalog/resources/{id}`. */
  extension?: string | Refused;
  fields: Support | Readonly<Record<LandingField, Support | Fallback | OfAgents>>;
  /** Set if it differs from the destination of mcp-server artifacts. */
  mcp_config?: McpConfig | Refused;
}

export type LandingField = 'mcpServers' | 'delegates_to' | 'requiresApproval' | 'sandbox_profile';

/** Effect, as a sentence without a period. */
export interface Fallback {
  fallback: string;
}

/** Effect for types other than agents, as a sentence without a period. */
export interface OfAgents {
  of_agents: string;
}

export interface SkillLanding {
  /** The product's own directory is first: `['.agents/skills', '.x/skills']`. */
  folders: readonly string[];
  /** Set if the product lists a skill in several directories only once. */
  deduplicates?: 'by_name' | 'by_content';
  /** Writes host requirements as `compatibility` if `SKILL.md` has none. */
  derive_compatibility?: true;
  /**
   * Returns the keys of `SKILL.md` that the product interprets differently, as a sentence without a
   * period.
   */
  warn?: (artifact: Artifact) => string | undefined;
}

export interface DocumentLanding {
  /** For example, `.x/agents/{name}.md`. */
  path: string;
  /** Defaults to `.catalog/resources/{id}`. */
  bundled?: string;
  /** Defaults to the manifest as authored. */
  render?: Render;
  /** Only with `render`. A sync warns about unsupported keys. */
  takes?: SupportedKeys;
  /** Returns the parts of the artifact that the file omits, as a sentence without a period. */
  warn?: (artifact: Artifact) => string | undefined;
  /** Only for commands. If absent, authored placeholders stay unchanged. */
  arguments?: ArgumentForm;
}

/** Undefined for no file. Imported prose must be marked: use `markedBody`. */
export type Render = (
  artifact: Artifact,
  context: PlaceContext,
) => string | undefined | Untranslatable;

export interface RuleLanding {
  into: 'file' | 'block';
  path: string;
  /** Required for a file; a block contains the prose. */
  render?: Render;
  modes: Readonly<Record<RuleMode, 'native' | Fallback>>;
}

/** Either nothing is written (with a warning), or the hook is rejected. */
type WithoutEvent = 'nothing' | 'refused';

export interface HookEntryLanding {
  into: 'entry';
  path: string;
  container: readonly string[];
  /** True if the container has named hooks, each with its own lists. */
  named?: true;
  recorded: ManagedEntry['recorded'];
  events: HookEventTable;
  without_event: WithoutEvent;
  /** With `recorded: 'file'`, the mark is added to the element. */
  entry: (hook: ReadyHook) => JsonObject;
  without_timeout?: true;
  /** Members that the file needs once, such as `{version: 1}`. */
  beside?: JsonObject;
  /** Wraps the command if the product's own contract differs (SPEC-66). */
  shim?: HookShim;
}

export interface HookFileLanding {
  into: 'file';
  path: string;
  events: HookEventTable;
  without_event: WithoutEvent;
  render: (hook: ReadyHook, context: PlaceContext) => string;
  executable?: true;
  takes_matcher?: true;
  /** Only for a JSON file; defaults to `{version: 1}`. */
  beside?: JsonObject;
  shim?: HookShim;
}

export interface ReadyHook {
  artifact: Artifact;
  event: HookEvent;
  native: NativeHook;
  /** With rewritten bundled paths, wrapped by the shim if there is one. */
  command: string;
  windows?: string;
  /** In seconds. */
  timeout: number | undefined;
  /** In a plugin: placeholder in commands for the plugin's directory. */
  plugin_root?: string;
  /** Set only if the shim tests the matcher. */
  matcher?: string;
}

export interface HookShim {
  (hook: ReadyHook): {
    command: string;
    windows?: string;
    files: FileOperation[];
  };
  /** If absent, the matcher is written as authored. */
  matching?: HookMatching;
}
