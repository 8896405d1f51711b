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

/** How a harness takes one capability: natively, by a fallback lint warns of, or not at all. */
export type Support = 'native' | 'fallback' | 'unsupported';

/** A row of the capability matrix. */
export type Capability = UsedCapability;

/** One column of the capability matrix, with a cell for every row. */
export type CapabilityTable = Readonly<Record<Capability, Support>>;

/**
 * One entry catalog owns inside a file that also belongs to the person. The file's format follows
 * from its name (`managed/format-of.ts`).
 * `map`: `value` is the member `key` of the object or table at `container`.
 * `array`: `value` is an element of the list at `container`.
 * `block`: `value` is a text between two marker lines of a Markdown or plain text file.
 */
export interface ManagedEntry {
  shape: 'array' | 'map' | 'block';
  container: readonly string[];
  /** The member name; for an array element and a block the artifact id. */
  key: string;
  artifact_id: string;
  value: Json;
  /**
   * Where it stands whose entry this is. `file`: a JSON list element by its own `x-catalog-id`, a
   * JSON member by the file's top-level `x-catalog`. `lock`: nowhere in the file, for products that
   * refuse keys they do not know. TOML, YAML and blocks need no mark beside their own.
   */
  recorded: 'file' | 'lock';
  /** A member the product needs once for all entries: one of the person's own does as well. */
  if_absent?: true;
}

/** What an adapter asks to be done, in paths relative to the target. It does nothing itself. */
export type FileOperation =
  | {
      kind: 'write';
      path: string;
      bytes: Uint8Array;
      executable: boolean;
      /** The same for every artifact that needs it, so that several may write it. */
      shared?: true;
    }
  | { kind: 'merge'; path: string; entry: ManagedEntry };

/** An artifact the harness cannot take for a reason no cell of the matrix tells. */
export interface Untranslatable {
  /** What is in the way, as a sentence without a full stop. */
  untranslatable: string;
}

/** Something in one artifact that a harness takes otherwise than authored. */
export interface ArtifactWarning {
  /** The row of the matrix it comes nearest to. */
  capability: Capability;
  /** What happens instead, as a sentence without a full stop. */
  reason: string;
  /** Nothing is limited or runs otherwise: listed by `catalog warnings` only. */
  minor?: true;
}

/** Names that depend on what else is planned. */
export interface PlaceContext {
  /** The file name stem: `prefix` and the last segment of the id. */
  name: string;
  /** Empty; under `on_clash: qualify`, for an artifact that clashes, its domain (`ops-deploy-`). */
  prefix: string;
  /**
   * Where a skill goes when several harnesses read one folder (SPEC-69): one of the adapter's
   * `skill_folders`. Undefined: its own.
   */
  skill_folder?: string;
  /** In a plugin: what a command names the plugin's own folder by, such as `${X_PLUGIN_ROOT}`. */
  plugin_root?: string;
  /** Settings of the user and the workspace; undefined if unknown. */
  settings?: UserSettings | undefined;
}

/** Settings of the user and the workspace that an adapter takes into account, least important first. */
export interface UserSettings {
  documents: JsonObject[];
  /** Files that exist and cannot be read. */
  unreadable: string[];
}

/** Settings that an artifact must not loosen, so that they decide how it is written. */
export interface ReadSettings {
  /** Files below the home folder, and below the workspace, least important first. */
  home: readonly string[];
  workspace: readonly string[];
  /** The members that matter. */
  members: readonly string[];
  /** The warning for an artifact if a file cannot be read; undefined if the settings do not matter to it. */
  unread: (artifact: Artifact) => ArtifactWarning | undefined;
}

/** Says where one artifact goes and as what. Pure: equal arguments, equal operations. */
export type Place = (artifact: Artifact, context: PlaceContext) => FileOperation[] | Untranslatable;

/** A type with a place of its own; all extension types share one. */
export type PlacedType = FirstClassType | 'extension';

/** Where a type goes, for people; `{name}` and `{id}` are the artifact's. */
export interface Destination {
  /** A folder or file of its own, an entry of a file of settings, a block of a file of text. */
  into: 'folder' | 'file' | 'entry' | 'block';
  path: string;
  /** For an entry: where in the file. */
  container?: readonly string[];
}

/** Something a harness has no place for, with the way out, as a sentence without a full stop. */
export interface Refused {
  refused: string;
}

/** Where a harness keeps its MCP servers, and how it writes one. */
export interface McpConfig {
  /** The file below the workspace; undefined where only the user's own is read. */
  project?: McpConfigFile;
  /** A second file of the workspace, for another program of the product, in its own form. */
  beside?: McpConfigFile & Pick<McpConfig, 'entry'>;
  /** The file below the home folder, by system where it differs (`process.platform`). */
  user?: McpConfigFile | Readonly<Record<'linux' | OtherSystem, McpConfigFile>>;
  /** The product's own limits of a server. */
  limits?: ServerLimits;
  /** One server in the harness's own form, secrets in its own reference syntax. */
  entry: (server: McpServer) => JsonObject;
  /** Why the harness cannot run a server, as a sentence without a full stop; undefined where it can. */
  refuses?: (server: McpServer) => string | undefined;
}

export interface McpConfigFile {
  path: string;
  /** The object or table that holds the servers by name. */
  container: readonly string[];
  recorded: ManagedEntry['recorded'];
}

/** A file or folder of other harnesses that a product reads, too. */
export interface AlsoRead {
  path: string;
  /** The only program of the product that uses what it finds there twice; all of them if absent. */
  in?: string;
  /** The product reads it only after the user turns something on: what, as a phrase. */
  opt_in?: string;
}

/** How a product reads AGENTS.md that reads another file of rules. */
export interface RulesImport {
  /** The file that can import AGENTS.md by `@AGENTS.md`. */
  path: string;
  /** Without this file, the product reads AGENTS.md. */
  reads_without?: true;
  /** A form of the import that other products which read the file do not follow. */
  private_form?: string;
}

/** What a product reads of a file of rules; what stands beyond it cuts off. */
export interface RulesLimit {
  path: string;
  bytes: number;
}

/** A harness: what it can take, and where each thing goes. Made by `defineHarness`. */
export interface HarnessAdapter {
  /** The value of `--harness`. */
  id: string;
  /** One line for `catalog harness list`. */
  summary: string;
  /** The neutral label `target_harnesses` also matches; its own id for a neutral adapter. */
  label: string;
  /** Raised whenever the same artifact would be written differently: a sync then plans it again. */
  revision: number;
  /** Of a third party's adapter: with another text a sync plans anew, whatever its revision says. */
  text_hash?: string;
  /** Files and folders in a workspace that show the harness is in use. */
  detect: readonly string[];
  capabilities: CapabilityTable;
  /** For each cell that is a fallback, what happens instead, as a sentence without a full stop. */
  fallbacks: Readonly<Partial<Record<Capability, string>>>;
  /** For cells that are unsupported, why and what to do instead; the same form. */
  refusals: Readonly<Partial<Record<Capability, string>>>;
  /** What of this one artifact is taken otherwise than authored, beside what its cells say. */
  warnings?: (artifact: Artifact) => ArtifactWarning[];
  hook_events: HookEventTable;
  /** Every folder its product reads skills from; the first is its own. Empty: it takes no skills. */
  skill_folders: readonly string[];
  /** Its product lists a skill once that it finds in several of them. */
  deduplicates_skills?: 'by_name' | 'by_content';
  /** Files its product reads rules from, beside where it is given them. */
  also_reads?: readonly AlsoRead[];
  rules_import?: RulesImport;
  /** How much its product reads of the file its rules are blocks of. */
  rules_limit?: RulesLimit;
  /** The settings that decide how an artifact is written. */
  reads_settings?: ReadSettings;
  place: Readonly<Record<PlacedType, Place>>;
  /** Where `place` puts things, as templates; absent where it refuses them. */
  destinations: Readonly<Partial<Record<PlacedType, Destination>>>;
  /** Lists every place that `place` and `catalog mcp config` write to, and those of former releases. */
  ownedPlaces: () => readonly OwnedPlace[];
  mcp_config: McpConfig | Refused;
  /** What its product gives to the list of skills; absent where nobody publishes a limit. */
  budget?: ListingBudget;
  /** The git distribution its product imports; absent where there is none. */
  marketplace?: MarketplaceFormat | Refused;
  /** Every place its product keeps things in, and how `catalog adopt` reads them back. */
  adopt?: readonly AdoptSource[];
  /** The same harness where the home folder is the workspace; absent where nothing differs. */
  user?: HarnessAdapter;
  /** That one on other systems than Linux; absent where they keep nothing elsewhere. */
  user_on?: Readonly<Record<OtherSystem, HarnessAdapter>>;
}

/** The systems whose folders for settings differ from those of Linux, as `process.platform` names them. */
export type OtherSystem = 'darwin' | 'win32';
