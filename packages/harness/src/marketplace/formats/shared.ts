import type { MarketplaceFormat } from '../format.ts';
import { about, described, listDocument, pluginDocument, sourceOf } from '../plugin-documents.ts';

interface SharedFormat {
  id: string;
  landing: string;
  /** The folder of the product's own files in a workspace: `.x`. */
  root: string;
  /** The folder of its manifests: `.x-plugin`. */
  manifests: string;
  plugin_root: string;
  reserved_names?: readonly string[];
}

/**
 * The marketplace that the terminal, the desktop and the web product import from one repository. It has
 * no component for rules, so that a rule ships as a skill; and the desktop and the web product take no
 * key in `SKILL.md` beside those of the open specification.
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
            ...about(plugin),
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
