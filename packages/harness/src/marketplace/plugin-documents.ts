import type { JsonObject } from '@catalog/core/json';
import type { MarketplaceDocument, RenderedMarket, RenderedPlugin } from './format.ts';

export function pluginDocument(
  path: string,
  plugin: RenderedPlugin,
  more: JsonObject = {},
): MarketplaceDocument {
  const content = { ...describePlugin(plugin), ...more };
  return { path: plugin.folder + path, plugin: plugin.name, content };
}

export function listDocument(
  path: string,
  { name, plugins }: RenderedMarket,
  head: JsonObject,
  entry: (plugin: RenderedPlugin) => JsonObject,
): MarketplaceDocument {
  return { path, plugin: undefined, content: { name, ...head, plugins: plugins.map(entry) } };
}

export function sourceOf({ folder }: RenderedPlugin): string {
  return `./${folder.slice(0, -1)}`;
}

export function describePlugin({ name, version, description }: RenderedPlugin): JsonObject {
  return { name, version, ...described({ description }) };
}

export function described({ description }: Pick<RenderedPlugin, 'description'>): JsonObject {
  return description === undefined ? {} : { description };
}
