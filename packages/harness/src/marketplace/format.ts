import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/**
 * A git distribution as data: how a repository must look so that a product's own installer takes it.
 * A component is what the landings of an adapter make of an artifact, moved to where a plugin has it;
 * code stands only where the distribution has a document of its own.
 */
export interface MarketplaceFormat {
  /** Harnesses with one format share one rendering; also the folder its plugins lie in. */
  id: string;
  /** Raised whenever the same artifact would be rendered differently: a plugin's version then changes. */
  revision: number;
  /**
   * `many`: a folder for each plugin. `one`: the repository is the plugin. `together`: the repository
   * holds the components of all plugins. The last two leave no room for another format.
   */
  plugins: 'many' | 'one' | 'together';
  /** The adapter whose landings give the components their form; undefined where none is needed. */
  landing: string | undefined;
  components: Components;
  /** What a command names the plugin's own folder by: `${X_PLUGIN_ROOT}`. */
  plugin_root?: string;
  /** Names a marketplace must not have. */
  reserved_names?: readonly string[];
  /** Documents of the repository, such as the list of its plugins. */
  documents: (market: RenderedMarket) => MarketplaceDocument[];
}

/** What becomes of each type; a type that is absent has no component, and is left out and reported. */
export interface Components {
  skill: SkillComponent;
  rule?: 'skill' | Moved;
  agent?: Moved;
  command?: Moved;
  hook?: Moved;
  'mcp-server'?: Moved | ServerComponent;
}

export interface SkillComponent {
  /** The folder of all skills in a plugin. */
  folder: string;
  /**
   * `open`: only the keys of the Agent Skills specification stand in `SKILL.md`. `open-for-others`: as
   * authored where nobody but the product of the landing imports it.
   */
  keys: 'as-authored' | 'open' | 'open-for-others';
}

/** Where a landing puts something in a workspace, and where it is in a plugin: files, or folders. */
export interface Moved {
  from: string;
  to: string;
  /** For entries: the object that holds them, where a plugin names it otherwise. */
  container?: readonly string[];
}

/** Servers in a form of the distribution's own. */
export interface ServerComponent {
  to: string;
  container: readonly string[];
  entry: (server: McpServer) => JsonObject;
  /** Why a server cannot be published, as a sentence without a full stop; undefined where it can. */
  refuses: (server: McpServer) => string | undefined;
}

/** A marketplace with its plugins filled: what documents are made of. */
export interface RenderedMarket {
  /** The id of the target. */
  name: string;
  description: string | undefined;
  plugins: readonly RenderedPlugin[];
  /** The version of everything together. */
  version: string;
}

export interface RenderedPlugin {
  name: string;
  description: string | undefined;
  version: string;
  /** Where it lies in the repository: `shared/ops/`, or empty. */
  folder: string;
  /** Every path that has been rendered for it, in the repository. */
  paths: ReadonlySet<string>;
  /** The names of its skills. */
  skills: readonly string[];
}

/** A file of JSON that belongs to no artifact; entries of artifacts may come into it. */
export interface MarketplaceDocument {
  path: string;
  /** The plugin it is about; undefined for the repository's own. */
  plugin: string | undefined;
  content: JsonObject;
}
