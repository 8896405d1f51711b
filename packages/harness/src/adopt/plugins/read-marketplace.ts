import { foldPath } from '@catalog/core/artifact/safe-path';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { resolvePath } from './plugin-paths.ts';
import { isPluginName } from './plan-plugin.ts';

export interface MarketplacePlugin {
  name: string;
  /** Folder of the plugin, relative to the marketplace; empty for the marketplace itself. */
  root: string;
  entry: JsonObject;
}

export interface MarketplaceReading {
  plugins: MarketplacePlugin[];
  rejected: { name: string; reason: string }[];
}

const MAX_PLUGINS = 500;

export function readMarketplace(values: JsonObject): MarketplaceReading {
  const listed = Array.isArray(values['plugins']) ? values['plugins'] : [];
  const { metadata } = values;
  const base = isJsonObject(metadata) ? (metadata['pluginRoot'] ?? '') : '';
  const plugins: MarketplacePlugin[] = [];
  const rejected: MarketplaceReading['rejected'] = [];
  const taken = new Set<string>();
  for (const [index, entry] of listed.slice(0, MAX_PLUGINS).entries()) {
    const name = isJsonObject(entry) ? entry['name'] : undefined;
    if (!isJsonObject(entry) || !isPluginName(name)) {
      rejected.push({ name: `plugins[${index}]`, reason: 'has no valid name' });
      continue;
    }
    const root = rootOf(entry['source'] ?? null, base);
    if (typeof root === 'object') rejected.push({ name, reason: root.reason });
    else if (taken.has(foldPath(name))) {
      rejected.push({ name, reason: 'has the name of another plugin of the marketplace' });
    } else {
      taken.add(foldPath(name));
      plugins.push({ name, root, entry });
    }
  }
  if (listed.length > MAX_PLUGINS) {
    rejected.push({
      name: `plugins[${MAX_PLUGINS}]`,
      reason: `and the plugins after it exceed the limit of ${MAX_PLUGINS} plugins`,
    });
  }
  return { plugins, rejected };
}

function rootOf(source: Json, base: Json): string | { reason: string } {
  const isLocal = isJsonObject(source) && source['source'] === 'local';
  const path = isLocal ? (source['path'] ?? null) : source;
  if (isJsonObject(path)) {
    const { source: kind, repo, url, package: npm } = path;
    const place = [kind, repo ?? url ?? npm].filter((part) => typeof part === 'string').join(' ');
    return { reason: `is in another place (${place}); download it, then adopt that folder` };
  }
  if (typeof path === 'string' && path.includes('://')) {
    return { reason: `is in another place (${path}); download it, then adopt that folder` };
  }
  const above = resolvePath(base, '');
  const root = typeof above === 'string' ? resolvePath(path, above) : above;
  return typeof root === 'string' ? root : { reason: `is not accepted: ${root.left}` };
}
