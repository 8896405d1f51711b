import type { JsonObject } from '@catalog/core/json';
import type { MarketplaceDocument, RenderedMarket, RenderedPlugin } from './format.ts';

/** The document of one plugin: what it is called, which version it has, and what it is about. */
export function pluginDocument(
  path: string,
  plugin: RenderedPlugin,
  more: JsonObject = {},
): MarketplaceDocument {
  const content = { ...about(plugin), ...more };
  return { path: plugin.folder + path, plugin: plugin.name, content };
}

/** The document that lists the plugins of a repository. */
export function listDocument(
  path: string,
  { name, plugins }: RenderedMarket,
  head: JsonObject,
  entry: (plugin: RenderedPlugin) => JsonObject,
): MarketplaceDocument {
  return { path, plugin: undefined, content: { name, ...head, plugins: plugins.map(entry) } };
}

/** Where a plugin lies, as lists of plugins have it. */
export function sourceOf({ folder }: RenderedPlugin): string {
  return `./${folder.slice(0, -1)}`;
}

/** Name, version and description; the last only where the author gave one. */
export function about({ name, version, description }: RenderedPlugin): JsonObject {
  return { name, version, ...described({ description }) };
}

export function described({ description }: Pick<RenderedPlugin, 'description'>): JsonObject {
  return description === undefined ? {} : { description };
}
