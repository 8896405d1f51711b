import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/**
 * Format of a marketplace: the layout that the installer of a product expects. A component is an artifact written for
 * the adapter's destinations and moved into a plugin. Functions are needed only for documents.
 */
export interface MarketplaceFormat {
  /** Id, also the folder of its plugins. Harnesses with the same format share one rendering. */
  id: string;
  /** Number that increases when the same artifact is rendered differently, which changes the version of a plugin. */
  revision: number;
  /**
   * Layout. `many`: one folder per plugin. `one`: the repository is the plugin. `together`: the repository contains the
   * components of all plugins. The last two exclude other formats.
   */
  plugins: 'many' | 'one' | 'together';
  /** Adapter that defines the file formats; undefined if none is needed. */
  landing: string | undefined;
  components: Components;
  /** Placeholder for the folder of a plugin, such as `${X_PLUGIN_ROOT}`. */
  plugin_root?: string;
  reserved_names?: readonly string[];
  documents: (market: RenderedMarket) => MarketplaceDocument[];
}

/** Places of components. Artifacts of an absent type are skipped and reported. */
export interface Components {
  skill: SkillComponent;
  rule?: 'skill' | Moved;
  agent?: Moved;
  command?: Moved;
  hook?: Moved;
  'mcp-server'?: Moved | ServerComponent;
}

export interface SkillComponent {
  folder: string;
  /**
   * Keys of `SKILL.md`. `open`: only those of the Agent Skills specification. `open-for-others`: all, if only the
   * product of the adapter imports the plugin.
   */
  keys: 'as-authored' | 'open' | 'open-for-others';
}

/** Files or folders to move into a plugin. */
export interface Moved {
  from: string;
  to: string;
  /** Name of the object with entries in a plugin, if it differs. */
  container?: readonly string[];
}

export interface ServerComponent {
  to: string;
  container: readonly string[];
  entry: (server: McpServer) => JsonObject;
  /** Returns why a server cannot be published, as a sentence without a period; undefined if it can. */
  refuses: (server: McpServer) => string | undefined;
}

export interface RenderedMarket {
  name: string;
  description: string | undefined;
  plugins: readonly RenderedPlugin[];
  version: string;
}

export interface RenderedPlugin {
  name: string;
  description: string | undefined;
  version: string;
  /** Folder with a final `/`, such as `shared/ops/`, or empty. */
  folder: string;
  /** Paths relative to the repository. */
  paths: ReadonlySet<string>;
  skills: readonly string[];
}

/** Document of a marketplace. It belongs to no artifact but can contain entries of artifacts. */
export interface MarketplaceDocument {
  path: string;
  /** Plugin; undefined for a document of the repository. */
  plugin: string | undefined;
  content: JsonObject;
}
