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
 * Declaration of a harness. Paths are templates relative to the target: `{name}` is the file name, `{id}` the artifact
 * id. Functions are needed only for formats.
 */
export interface HarnessDeclaration extends Landings {
  id: string;
  summary: string;
  /** Label; the id if absent. */
  label?: string;
  revision: number;
  detect: readonly string[];
  marketplace?: MarketplaceFormat | Refused;
  /** Limits of the skill listing, if a source documents them. */
  budget?: ListingBudget;
  also_reads?: readonly AlsoRead[];
  rules_import?: RulesImport;
  /** Limit of the rules file, if a source documents it. */
  rules_limit?: RulesLimit;
  reads_settings?: ReadSettings;
  /** Places that only a former release wrote. */
  former?: readonly OwnedPlace[];
  adopt?: AdoptReaders;
  /** Differences in the home folder (`--scope user`). */
  user?: Partial<Landings>;
  /** Differences on other systems than Linux. */
  user_on?: Readonly<Record<OtherSystem, Partial<Landings>>>;
}

export interface Landings {
  skill: SkillLanding | Refused;
  agent: DocumentLanding | Refused;
  command: DocumentLanding | Refused;
  rule: RuleLanding | Refused;
  hook: HookEntryLanding | HookFileLanding | Refused;
  mcp_server: McpConfig | Refused;
  /** Place of context, set only to reject it; otherwise `.catalog/context/{id}/`. */
  context?: Refused;
  /** True if the product does not load that folder, so that a rule refers to the file. */
  context_pointer?: true;
  /** Place of extension types; `.catalog/resources/{id}` if absent. */
  extension?: string | Refused;
  fields: Support | Readonly<Record<LandingField, Support | Fallback | OfAgents>>;
  /** File of catalog's own server, if it differs from that of other servers. */
  mcp_config?: McpConfig | Refused;
}

export type LandingField = 'mcpServers' | 'delegates_to' | 'requiresApproval' | 'sandbox_profile';

/** Effect of a fallback, as a sentence without a period. */
export interface Fallback {
  fallback: string;
}

/** Effect for other types than agents, as a sentence without a period. */
export interface OfAgents {
  of_agents: string;
}

export interface SkillLanding {
  /** Skill folders, the product's own first: `['.agents/skills', '.x/skills']`. */
  folders: readonly string[];
  /** Handling of a skill in several folders, if the product lists the skill once. */
  deduplicates?: 'by_name' | 'by_content';
  /** True to write host requirements as `compatibility` if `SKILL.md` has none. */
  derive_compatibility?: true;
  /** Returns the keys of `SKILL.md` that the product interprets differently, as a sentence without a period. */
  warn?: (artifact: Artifact) => string | undefined;
}

export interface DocumentLanding {
  /** Path, such as `.x/agents/{name}.md`. */
  path: string;
  /** Folder of bundled files; `.catalog/resources/{id}` if absent. */
  bundled?: string;
  /** Renders the file; the manifest as authored if absent. */
  render?: Render;
  /** Supported keys of a rendered file. A sync warns about others. */
  takes?: SupportedKeys;
  /** Returns the parts of the artifact that the file leaves out, as a sentence without a period. */
  warn?: (artifact: Artifact) => string | undefined;
  /** Placeholders of a command; if absent, authored ones stay. */
  arguments?: ArgumentForm;
}

/** Renders a file; undefined for none. Imported prose must be marked with `markedBody`. */
export type Render = (
  artifact: Artifact,
  context: PlaceContext,
) => string | undefined | Untranslatable;

export interface RuleLanding {
  into: 'file' | 'block';
  path: string;
  /** Renders a file, for which it is required; a block contains the prose. */
  render?: Render;
  modes: Readonly<Record<RuleMode, 'native' | Fallback>>;
}

/** Handling of a hook without an event: nothing is written, with a warning, or the hook is rejected. */
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
  /** Returns the entry. With `recorded: 'file'`, the mark is added to it. */
  entry: (hook: ReadyHook) => JsonObject;
  without_timeout?: true;
  /** Members that the file needs once, such as `{version: 1}`. */
  beside?: JsonObject;
  /** Wraps the command if the product has its own contract (SPEC-66). */
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
  /** Members that a JSON file needs once; `{version: 1}` if absent. */
  beside?: JsonObject;
  shim?: HookShim;
}

export interface ReadyHook {
  artifact: Artifact;
  event: HookEvent;
  native: NativeHook;
  /** Command with rewritten paths, wrapped if the product needs that. */
  command: string;
  windows?: string;
  /** Timeout in seconds. */
  timeout: number | undefined;
  /** Placeholder for the folder of a plugin in commands. */
  plugin_root?: string;
  /** Matcher, if the script tests it. */
  matcher?: string;
}

export interface HookShim {
  (hook: ReadyHook): {
    command: string;
    windows?: string;
    files: FileOperation[];
  };
  /** Tool names for matchers; if absent, they are written as authored. */
  matching?: HookMatching;
}
