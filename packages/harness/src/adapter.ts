import type { UsedCapability } from '@catalog/core/artifact/capabilities-used';
import type { ServerLimits } from './place/mcp-server.ts';
import type { Artifact, FirstClassType } from '@catalog/core/artifact/types';
import type { Json, JsonObject } from '@catalog/core/json';
import type { AdoptSource } from './adopt/adopt-source.ts';
import type { ListingBudget } from './budget/listing-budget.ts';
import type { HookEventTable } from './hook-event-table.ts';
import type { MarketplaceFormat } from './marketplace/format.ts';
import type { OwnedPlace } from './owned-place.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/** Support of a feature. A fallback is a conversion with a lint warning. */
export type Support = 'native' | 'fallback' | 'unsupported';

export type Capability = UsedCapability;

export type CapabilityTable = Readonly<Record<Capability, Support>>;

/**
 * Entry that catalog manages in a file of the user. The file name determines the format (`managed/format-of.ts`).
 * `map`: `value` is the member `key` of the object at `container`. `array`: `value` is an element of the list at
 * `container`. `block`: `value` is text between two marker lines of a Markdown or text file.
 */
export interface ManagedEntry {
  shape: 'array' | 'map' | 'block';
  container: readonly string[];
  /** Name of the member. For an array element or a block, the artifact id. */
  key: string;
  artifact_id: string;
  value: Json;
  /**
   * Place of the mark that shows the owner. `file`: a JSON element has its own `x-catalog-id`, a JSON member is listed
   * in `x-catalog` of the file. `lock`: only the lock, for products that reject unknown keys. Other formats need no
   * mark.
   */
  recorded: 'file' | 'lock';
  /** True for a member that the product needs once. An existing one of the user is sufficient. */
  if_absent?: true;
}

/** File or entry to write; paths are relative to the target. Adapters never write files themselves. */
export type FileOperation =
  | {
      kind: 'write';
      path: string;
      bytes: Uint8Array;
      executable: boolean;
      /** True if all artifacts that need the file write the same content. */
      shared?: true;
    }
  | { kind: 'merge'; path: string; entry: ManagedEntry };

/** Artifact that the harness cannot support, for a reason outside of the capability matrix. */
export interface Untranslatable {
  /** Reason, as a sentence without a period. */
  untranslatable: string;
}

export interface ArtifactWarning {
  /** Closest feature of the capability matrix. */
  capability: Capability;
  /** Reason, as a sentence without a period. */
  reason: string;
  /** True if the behavior is unchanged; only `catalog warnings` lists the warning. */
  minor?: true;
}

export interface PlaceContext {
  /** Name of the file: `prefix` and the last segment of the id. */
  name: string;
  /** Prefix of the name, usually empty. With `on_clash: qualify`, the domain of a clashing artifact (`ops-deploy-`). */
  prefix: string;
  /** Skill folder, one of the adapter's, if several harnesses share it (SPEC-69). Undefined means the adapter's own. */
  skill_folder?: string;
  /** Placeholder for the folder of a plugin in its commands, such as `${X_PLUGIN_ROOT}`. */
  plugin_root?: string;
  settings?: UserSettings | undefined;
}

/** Settings of the user, lowest precedence first. */
export interface UserSettings {
  documents: JsonObject[];
  unreadable: string[];
}

/** Settings that an artifact must not loosen. */
export interface ReadSettings {
  /** Settings in the home folder, lowest precedence first. */
  home: readonly string[];
  workspace: readonly string[];
  members: readonly string[];
  /** Returns a warning if the settings cannot be read; undefined if they do not affect the artifact. */
  unread: (artifact: Artifact) => ArtifactWarning | undefined;
}

export type Place = (artifact: Artifact, context: PlaceContext) => FileOperation[] | Untranslatable;

/** Artifact type with its own destination; all extension types share one. */
export type PlacedType = FirstClassType | 'extension';

/** Destination for display. `{name}` and `{id}` are placeholders. */
export interface Destination {
  into: 'folder' | 'file' | 'entry' | 'block';
  path: string;
  /** Location of the entry in the file. */
  container?: readonly string[];
}

/** Reason for rejecting artifacts, as a sentence without a period that names an alternative. */
export interface Refused {
  refused: string;
}

export interface McpConfig {
  /** File of the project; undefined if the product reads only that of the user. */
  project?: McpConfigFile;
  /** File of another program of the product, in its own format. */
  beside?: McpConfigFile & Pick<McpConfig, 'entry'>;
  /** File of the user, by operating system if it differs (`process.platform`). */
  user?: McpConfigFile | Readonly<Record<'linux' | OtherSystem, McpConfigFile>>;
  limits?: ServerLimits;
  /** Converts a server to the format of the harness, with its syntax for secrets. */
  entry: (server: McpServer) => JsonObject;
  /** Returns why the harness cannot run a server, as a sentence without a period; undefined if it can. */
  refuses?: (server: McpServer) => string | undefined;
}

export interface McpConfigFile {
  path: string;
  /** Location of the object with the servers by name. */
  container: readonly string[];
  recorded: ManagedEntry['recorded'];
}

export interface AlsoRead {
  path: string;
  /** Program that reads the file; all programs of the product if absent. */
  in?: string;
  /** Setting that the user must enable before the product reads the file, as a phrase. */
  opt_in?: string;
}

export interface RulesImport {
  path: string;
  /** True if the product reads AGENTS.md when this file is missing. */
  reads_without?: true;
  /** Syntax of an import that other products with the same file do not support. */
  private_form?: string;
}

/** Maximum size of a rules file; the product cuts off the rest. */
export interface RulesLimit {
  path: string;
  bytes: number;
}

export interface HarnessAdapter {
  /** Value of `--harness`. */
  id: string;
  summary: string;
  /** Neutral name that `target_harnesses` matches too; equals the id of a neutral adapter. */
  label: string;
  /** Number that increases when the same artifact would be written differently, so that a sync plans it again. */
  revision: number;
  /** Hash of a third party's adapter. If it changes, a sync plans again. */
  text_hash?: string;
  detect: readonly string[];
  capabilities: CapabilityTable;
  /** Effect of each fallback in the capability matrix, as a sentence without a period. */
  fallbacks: Readonly<Partial<Record<Capability, string>>>;
  /** Reason and alternative for each unsupported feature, as a sentence without a period. */
  refusals: Readonly<Partial<Record<Capability, string>>>;
  /** Returns deviations of an artifact, in addition to those of its features. */
  warnings?: (artifact: Artifact) => ArtifactWarning[];
  hook_events: HookEventTable;
  /** Skill folders, the product's own first; empty without support for skills. */
  skill_folders: readonly string[];
  /** Handling of a skill in several folders, if the product lists the skill once. */
  deduplicates_skills?: 'by_name' | 'by_content';
  also_reads?: readonly AlsoRead[];
  rules_import?: RulesImport;
  rules_limit?: RulesLimit;
  reads_settings?: ReadSettings;
  place: Readonly<Record<PlacedType, Place>>;
  /** Destinations by type; absent for types that are rejected. */
  destinations: Readonly<Partial<Record<PlacedType, Destination>>>;
  /** Returns all places that the adapter writes, with those of `catalog mcp config` and of former releases. */
  ownedPlaces: () => readonly OwnedPlace[];
  mcp_config: McpConfig | Refused;
  /** Limit of the skill listing; absent if the product publishes none. */
  budget?: ListingBudget;
  marketplace?: MarketplaceFormat | Refused;
  adopt?: readonly AdoptSource[];
  /** Adapter for the home folder; absent if it is the same. */
  user?: HarnessAdapter;
  /** Adapters for the home folder on other systems than Linux; absent if the paths are the same. */
  user_on?: Readonly<Record<OtherSystem, HarnessAdapter>>;
}

/** System whose settings folders differ from Linux, named as in `process.platform`. */
export type OtherSystem = 'darwin' | 'win32';
