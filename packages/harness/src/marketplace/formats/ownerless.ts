import type { JsonObject } from '@catalog/core/json';
import type { MarketplaceFormat } from '../format.ts';
import { describePlugin, listDocument, pluginDocument, sourceOf } from '../plugin-documents.ts';

interface OwnerlessFormat {
  id: string;
  landing: string;
  root: string;
  manifests: string;
  plugin_root: string;
  entry?: JsonObject;
}

/** Format whose list has no owner (MKT-16). */
export function ownerlessFormat({
  root,
  manifests,
  entry = {},
  ...rest
}: OwnerlessFormat): MarketplaceFormat {
  return {
    ...rest,
    revision: 1,
    plugins: 'many',
    components: {
      skill: { folder: 'skills', keys: 'as-authored' },
      hook: { from: `${root}/config.toml`, to: 'hooks/hooks.json' },
      'mcp-server': { from: `${root}/config.toml`, to: '.mcp.json', container: ['mcpServers'] },
    },
    documents: (market) => [
      listDocument('.agents/plugins/marketplace.json', market, {}, (plugin) => ({
        ...describePlugin(plugin),
        source: { source: 'local', path: sourceOf(plugin) },
        ...entry,
      })),
      ...market.plugins.map((plugin) => pluginDocument(`${manifests}/plugin.json`, plugin)),
    ],
  };
}
