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
import type { TakenKeys } from './place/authored-keys.ts';

/**
 * A harness as data: where each type lands and as what. Paths are templates relative to the target:
 * `{name}` is the file name stem, `{id}` the artifact id. Code stands only where a format needs it.
 * `defineHarness` makes the adapter of it.
 */
export interface HarnessDeclaration extends Landings {
  id: string;
  summary: string;
  /** The neutral label it is a brand of; its own id where absent. */
  label?: string;
  revision: number;
  detect: readonly string[];
  /** The git distribution its product imports, or why there is none. */
  marketplace?: MarketplaceFormat | Refused;
  /** What the product gives to the list of skills, where a source says so. */
  budget?: ListingBudget;
  /** Files the product reads rules from, beside where it is given them. */
  also_reads?: readonly AlsoRead[];
  /** How it reads AGENTS.md in a workspace, if its own file can import it. */
  rules_import?: RulesImport;
  /** How much it reads of the file its rules are blocks of, where a source says so. */
  rules_limit?: RulesLimit;
  /** Settings of the user that decide how an artifact is written. */
  reads_settings?: ReadSettings;
  /** Places that a former release wrote to and this one does not. */
  former?: readonly OwnedPlace[];
  /** The way back, for `catalog adopt`, where it does not follow from the landings. */
  adopt?: AdoptReaders;
  /** What lands elsewhere when the home folder is the workspace (`--scope user`). */
  user?: Partial<Landings>;
  /** The same where another system than Linux keeps a person's files elsewhere. */
  user_on?: Readonly<Record<OtherSystem, Partial<Landings>>>;
}

/** One landing for every type. */
export interface Landings {
  skill: SkillLanding | Refused;
  agent: DocumentLanding | Refused;
  command: DocumentLanding | Refused;
  rule: RuleLanding | Refused;
  hook: HookEntryLanding | HookFileLanding | Refused;
  mcp_server: McpConfig | Refused;
  /** `context` lands in `.catalog/context/{id}/` everywhere; refused only where nothing is taken. */
  context?: Refused;
  /**
   * The product loads nothing from there by itself, so a rule that names the file comes with it. Not
   * for a product whose rules are refused.
   */
  context_pointer?: true;
  /** The folder for extension types; `.catalog/resources/{id}` where absent. */
  extension?: string | Refused;
  /** What becomes of the fields a manifest may carry beside its type's own. */
  fields: Support | Readonly<Record<LandingField, Support | Fallback | OfAgents>>;
  /** Where `catalog mcp config` writes when that is not where mcp-server artifacts land. */
  mcp_config?: McpConfig | Refused;
}

export type LandingField = 'mcpServers' | 'delegates_to' | 'requiresApproval' | 'sandbox_profile';

/** Taken another way than authored: what happens, as a sentence without a full stop. */
export interface Fallback {
  fallback: string;
}

/** Taken from an agent as authored: what happens in any other type, as a sentence without a full stop. */
export interface OfAgents {
  of_agents: string;
}

/** `SKILL.md` with the bundled files beside it, in a folder of its own. */
export interface SkillLanding {
  /** Every folder the product reads skills from, its own first: `['.agents/skills', '.x/skills']`. */
  folders: readonly string[];
  /** The product lists a skill once that it finds in several folders. */
  deduplicates?: 'by_name' | 'by_content';
  /** Write what the host must have as `compatibility` where `SKILL.md` has none. */
  derive_compatibility?: true;
  /** Which keys of `SKILL.md` the product understands differently, as a sentence without a full stop. */
  warn?: (artifact: Artifact) => string | undefined;
}

/** One file of text for one artifact. */
export interface DocumentLanding {
  /** `.x/agents/{name}.md` */
  path: string;
  /** The folder of its bundled files; `.catalog/resources/{id}` where absent. */
  bundled?: string;
  /** The text; the manifest as authored where absent. */
  render?: Render;
  /** With `render`: which keys that narrow the artifact the text holds; of the others a sync warns. */
  takes?: TakenKeys;
  /** Parts of the artifact that the text leaves out, as a sentence without a full stop. */
  warn?: (artifact: Artifact) => string | undefined;
  /** For commands: the product's own placeholders; those of the author stay where absent. */
  arguments?: ArgumentForm;
}

/**
 * The text a document becomes; undefined where there is none. Imported prose must be marked: use
 * `markedBody`.
 */
export type Render = (
  artifact: Artifact,
  context: PlaceContext,
) => string | undefined | Untranslatable;

/** A rule as a file of its own, or as a managed block of a file all rules share. */
export interface RuleLanding {
  into: 'file' | 'block';
  path: string;
  /** The text; for a file it must be given, a block is the prose of the rule. */
  render?: Render;
  /** Each mode: natively, or what happens instead. */
  modes: Readonly<Record<RuleMode, 'native' | Fallback>>;
}

/** What an event without an equivalent comes to: nothing is written (a warning), or a refusal. */
type WithoutEvent = 'nothing' | 'refused';

/** A hook as an entry of a list in a file of settings. */
export interface HookEntryLanding {
  into: 'entry';
  path: string;
  /** Where the lists of the events are: `['hooks']`. */
  container: readonly string[];
  /** The container holds hooks by name, each with lists of its own. */
  named?: true;
  recorded: ManagedEntry['recorded'];
  events: HookEventTable;
  without_event: WithoutEvent;
  /** The list element for one hook. With `recorded: 'file'` the mark is added to it. */
  entry: (hook: ReadyHook) => JsonObject;
  /** The entry has no member for the time limit of a hook. */
  without_timeout?: true;
  /** Members the file needs once, such as `{version: 1}`. */
  beside?: JsonObject;
  /** What the product runs instead of the command, where its own contract differs (SPEC-66). */
  shim?: HookShim;
}

/** A hook as a file of its own: a generated module, or a file for each hook. */
export interface HookFileLanding {
  into: 'file';
  path: string;
  events: HookEventTable;
  without_event: WithoutEvent;
  render: (hook: ReadyHook, context: PlaceContext) => string;
  executable?: true;
  /** The file has a native matcher. */
  takes_matcher?: true;
  /** For a JSON file: what it says next to its hooks; `{version: 1}` if absent. */
  beside?: JsonObject;
  shim?: HookShim;
}

/** A hook with everything decided but its form. */
export interface ReadyHook {
  artifact: Artifact;
  event: HookEvent;
  native: NativeHook;
  /** The command line, bundled paths rewritten, behind the shim where there is one. */
  command: string;
  /** The command line for Windows, if the shim has one. */
  windows?: string;
  /** Seconds, where the author says. */
  timeout: number | undefined;
  /** In a plugin: what a command names the plugin's own folder by. */
  plugin_root?: string;
  /** The author's matcher, if the shim tests it. */
  matcher?: string;
}

/** Wraps the author's command: what to run instead, and the files that takes. */
export interface HookShim {
  (hook: ReadyHook): {
    command: string;
    /** The same for the shells of Windows. */
    windows?: string;
    files: FileOperation[];
  };
  /** Data for testing the author's matcher; if absent, the matcher is written as authored. */
  matching?: HookMatching;
}
