import type { MarketplaceFormat } from '../format.ts';
import {
  describePlugin,
  described,
  listDocument,
  pluginDocument,
  sourceOf,
} from '../plugin-documents.ts';

interface SharedFormat {
  id: string;
  landing: string;
  /** Folder in a workspace, such as `.x`. */
  root: string;
  /** Folder of manifests, such as `.x-plugin`. */
  manifests: string;
  plugin_root: string;
  reserved_names?: readonly string[];
}

/**
 * Format that terminal, desktop and web products import alike. It has no rules, so rules become skills. Desktop and web
 * products reject keys of `SKILL.md` outside the open specification.
 */
export function sharedFormat({ root, manifests, ...rest }: SharedFormat): MarketplaceFormat {
  return {
    ...rest,
    revision: 1,
    plugins: 'many',
    components: {
      skill: { folder: 'skills', keys: 'open-for-others' },
      rule: 'skill',
      agent: { from: `${root}/agents`, to: 'agents' },
      command: { from: `${root}/commands`, to: 'commands' },
      hook: { from: `${root}/settings.json`, to: 'hooks/hooks.json' },
      'mcp-server': { from: '.mcp.json', to: '.mcp.json' },
    },
    documents: (market) => {
      const owner = { name: market.name };
      return [
        listDocument(
          `${manifests}/marketplace.json`,
          market,
          { owner, ...described(market) },
          (plugin) => ({
            ...describePlugin(plugin),
            source: sourceOf(plugin),
          }),
        ),
        ...market.plugins.map((plugin) =>
          pluginDocument(`${manifests}/plugin.json`, plugin, { author: owner }),
        ),
      ];
    },
  };
}
