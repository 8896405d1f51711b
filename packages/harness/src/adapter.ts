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

/** A fallback is converted with a lint warning. */
export type Support = 'native' | 'fallback' | 'unsupported';

export type Capability = UsedCapability;

export type CapabilityTable = Readonly<Record<Capability, Support>>;

/**
 * Entry that catalog owns inside a file of the user. The file name determines the format
 * (`managed/format-of.ts`). `map`: `value` is the member `key` of the object or table at
 * `container`. `array`: `value` is an element of the list at `container`. `block`: `value` is a
 * string between two marker lines of a Markdown or plain text file.
 */
export interface ManagedEntry {
  shape: 'array' | 'map' | 'block';
  container: readonly string[];
  /** Member name; for an array element or a block, the artifact id. */
  key: string;
  artifact_id: string;
  value: Json;
  /**
   * Location of the ownership mark. `file`: a JSON list element has its own `x-catalog-id`, a JSON
   * member is listed in the file's top-level `x-catalog`. `lock`: only in the lock, for products
   * that reject unknown keys. TOML, YAML and blocks need no additional mark.
   */
  recorded: 'file' | 'lock';
  /**
   * Member that the product needs once for all entries. An existing member of the user is
   * sufficient.
   */
  if_absent?: true;
}

/** Paths are relative to the target. Adapters never write files. */
export type FileOperation =
  | {
      kind: 'write';
      path: string;
      bytes: Uint8Array;
      executable: boolean;
      /** Identical for all artifacts that need it, so several can write it. */
      shared?: true;
    }
  | { kind: 'merge'; path: string; entry: ManagedEntry };

/** Artifact that the harness cannot support for a reason outside the capability matrix. */
export interface Untranslatable {
  /** Sentence without a period. */
  untranslatable: string;
}

export interface ArtifactWarning {
  /** Closest row of the matrix. */
  capability: Capability;
  /** Sentence without a period. */
  reason: string;
  /** The behavior is unchanged: only `catalog warnings` lists the warning. */
  minor?: true;
}

export interface PlaceContext {
  /** File name stem: `prefix` and the last segment of the id. */
  name: string;
  /** Empty. With `on_clash: qualify`, the domain of a clashing artifact (`ops-deploy-`). */
  prefix: string;
  /**
   * One of the adapter's `skill_folders` if several harnesses share it (SPEC-69). Undefined selects the
   * adapter's own directory.
   */
  skill_folder?: string;
  /** In a plugin: placeholder in commands for the plugin's directory, such as `${X_PLUGIN_ROOT}`. */
  plugin_root?: string;
  settings?: UserSettings | undefined;
}

/** Lowest precedence first. */
export interface UserSettings {
  documents: JsonObject[];
  unreadable: string[];
}

/** Settings that an artifact must not loosen. They affect how the artifact is written. */
export interface ReadSettings {
  /** Lowest precedence first. */
  home: readonly string[];
  workspace: readonly string[];
  members: readonly string[];
  /** Undefined if the settings do not affect the artifact. */
  unread: (artifact: Artifact) => ArtifactWarning | undefined;
}

export type Place = (artifact: Artifact, context: PlaceContext) => FileOperation[] | Untranslatable;

/** All extension types share one place. */
export type PlacedType = FirstClassType | 'extension';

/** For display. `{name}` and `{id}` are placeholders for the artifact's values. */
export interface Destination {
  into: 'folder' | 'file' | 'entry' | 'block';
  path: string;
  /** For an entry: location in the file. */
  container?: readonly string[];
}

/** Sentence without a period; names an alternative. */
export interface Refused {
  refused: string;
}

export interface McpConfig {
  /** Undefined if the product reads only the user's file. */
  project?: McpConfigFile;
  /** For another program of the product, in its own format. */
  beside?: McpConfigFile & Pick<McpConfig, 'entry'>;
  /** By operating system if it differs (`process.platform`). */
  user?: McpConfigFile | Readonly<Record<'linux' | OtherSystem, McpConfigFile>>;
  limits?: ServerLimits;
  /** Converts a server to the format of the harness, with secrets in its own reference syntax. */
  entry: (server: McpServer) => JsonObject;
  /** Returns a sentence without a period; undefined if the harness can run the server. */
  refuses?: (server: McpServer) => string | undefined;
}

export interface McpConfigFile {
  path: string;
  /** Path of the object or table that holds the servers by name. */
  container: readonly string[];
  recorded: ManagedEntry['recorded'];
}

export interface AlsoRead {
  path: string;
  /** All programs of the product if absent. */
  in?: string;
  /** Setting that the user must enable before the product reads it, as a phrase. */
  opt_in?: string;
}

export interface RulesImport {
  path: string;
  /** True if the product reads AGENTS.md when this file is missing. */
  reads_without?: true;
  /** Import syntax that other products with the same file do not support. */
  private_form?: string;
}

/** The product cuts off the rest. */
export interface RulesLimit {
  path: string;
  bytes: number;
}

export interface HarnessAdapter {
  /** Value of `--harness`. */
  id: string;
  summary: string;
  /** Neutral label that `target_harnesses` also matches; the adapter's own id for a neutral adapter. */
  label: string;
  /**
   * Increased whenever the same artifact would be written differently, so that a sync plans it
   * again.
   */
  revision: number;
  /**
   * Hash of a third party's adapter source. If it changes, a sync plans again, regardless of the
   * revision.
   */
  text_hash?: string;
  detect: readonly string[];
  capabilities: CapabilityTable;
  /** Effect of each fallback cell, as a sentence without a period. */
  fallbacks: Readonly<Partial<Record<Capability, string>>>;
  /** Reason and alternative for each unsupported cell, in the same form. */
  refusals: Readonly<Partial<Record<Capability, string>>>;
  /** Returns deviations of a single artifact in addition to those of its cells. */
  warnings?: (artifact: Artifact) => ArtifactWarning[];
  hook_events: HookEventTable;
  /** The first is the product's own. Empty if it does not support skills. */
  skill_folders: readonly string[];
  /** Set if the product lists a skill in several of the directories only once. */
  deduplicates_skills?: 'by_name' | 'by_content';
  also_reads?: readonly AlsoRead[];
  rules_import?: RulesImport;
  rules_limit?: RulesLimit;
  reads_settings?: ReadSettings;
  place: Readonly<Record<PlacedType, Place>>;
  /** Absent for types that `place` rejects. */
  destinations: Readonly<Partial<Record<PlacedType, Destination>>>;
  /** Includes places of `catalog mcp config` and of former releases. */
  ownedPlaces: () => readonly OwnedPlace[];
  mcp_config: McpConfig | Refused;
  /** Absent if the product publishes no limit. */
  budget?: ListingBudget;
  marketplace?: MarketplaceFormat | Refused;
  adopt?: readonly AdoptSource[];
  /** Absent if it is the same. */
  user?: HarnessAdapter;
  /** Systems other than Linux. Absent if the paths are the same. */
  user_on?: Readonly<Record<OtherSystem, HarnessAdapter>>;
}

/** Settings directories differ from Linux. Named as in `process.platform`. */
export type OtherSystem = 'darwin' | 'win32';
