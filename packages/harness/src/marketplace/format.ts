import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/**
 * Repository layout that a product's installer expects. A component is an artifact written for the
 * adapter's destinations and moved to its place in a plugin. Functions are needed only for documents of
 * the distribution.
 */
export interface MarketplaceFormat {
  /** Harnesses with the same format share one rendering. Also the directory of its plugins. */
  id: string;
  /** Increased if the same artifact is rendered differently, which changes the version of a plugin. */
  revision: number;
  /**
   * `many`: one directory per plugin. `one`: the repository is the plugin. `together`: the
   * repository contains the components of all plugins. The last two cannot be combined with another
   * format.
   */
  plugins: 'many' | 'one' | 'together';
  /** Adapter that defines the file formats; undefined if none is needed. */
  landing: string | undefined;
  components: Components;
  /** For example, `${X_PLUGIN_ROOT}` in commands. */
  plugin_root?: string;
  reserved_names?: readonly string[];
  documents: (market: RenderedMarket) => MarketplaceDocument[];
}

/** Artifacts of an absent type are skipped and reported. */
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
   * `open`: `SKILL.md` has only keys of the Agent Skills specification. `open-for-others`: as
   * authored if only the product of the adapter imports it.
   */
  keys: 'as-authored' | 'open' | 'open-for-others';
}

/** Files or directories. */
export interface Moved {
  from: string;
  to: string;
  /** Set if the object that contains entries has a different name in a plugin. */
  container?: readonly string[];
}

export interface ServerComponent {
  to: string;
  container: readonly string[];
  entry: (server: McpServer) => JsonObject;
  /** Returns a sentence without a period; undefined if the server can be published. */
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
  /** With a final `/`: `shared/ops/`, or empty. */
  folder: string;
  /** Relative to the repository. */
  paths: ReadonlySet<string>;
  skills: readonly string[];
}

/** Belongs to no artifact, but can contain entries of artifacts. */
export interface MarketplaceDocument {
  path: string;
  /** Undefined for documents of the repository. */
  plugin: string | undefined;
  content: JsonObject;
}
