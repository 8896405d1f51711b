import type { MarketplaceFormat } from '../format.ts';
import { described, listDocument, pluginDocument, sourceOf } from '../plugin-documents.ts';

interface ClosedFormat {
  id: string;
  landing: string;
  root: string;
  manifests: string;
  plugin_root: string;
}

/** Format whose closed schemas reject a document with an unknown key. */
export function closedFormat({ root, manifests, ...rest }: ClosedFormat): MarketplaceFormat {
  return {
    ...rest,
    revision: 1,
    plugins: 'many',
    components: {
      skill: { folder: 'skills', keys: 'as-authored' },
      rule: { from: `${root}/rules`, to: 'rules' },
      agent: { from: `${root}/agents`, to: 'agents' },
      command: { from: `${root}/commands`, to: 'commands' },
      hook: { from: `${root}/hooks.json`, to: 'hooks/hooks.json' },
      'mcp-server': { from: `${root}/mcp.json`, to: 'mcp.json' },
    },
    documents: (market) => [
      listDocument(
        `${manifests}/marketplace.json`,
        market,
        {
          owner: { name: market.name },
          ...(market.description === undefined ? {} : { metadata: described(market) }),
        },
        (plugin) => ({ name: plugin.name, source: sourceOf(plugin), ...described(plugin) }),
      ),
      ...market.plugins.map((plugin) => pluginDocument(`${manifests}/plugin.json`, plugin)),
    ],
  };
}
