import type { MarketplaceFormat } from '../format.ts';
import { pluginDocument } from '../plugin-documents.ts';

interface ExtensionFormat {
  id: string;
  landing: string;
  root: string;
  manifest: string;
  context_file: string;
  plugin_root: string;
}

/** Format in which the repository is the only extension. */
export function extensionFormat({
  root,
  manifest,
  context_file,
  ...rest
}: ExtensionFormat): MarketplaceFormat {
  return {
    ...rest,
    revision: 1,
    plugins: 'one',
    components: {
      skill: { folder: 'skills', keys: 'as-authored' },
      rule: { from: context_file, to: context_file },
      agent: { from: `${root}/agents`, to: 'agents' },
      command: { from: `${root}/commands`, to: 'commands' },
      hook: { from: `${root}/settings.json`, to: 'hooks/hooks.json' },
      'mcp-server': { from: `${root}/settings.json`, to: manifest },
    },
    documents: ({ plugins }) =>
      plugins.map((plugin) => {
        // The product rejects an extension whose context file does not exist.
        const hasContext = plugin.paths.has(context_file);
        return pluginDocument(
          manifest,
          plugin,
          hasContext ? { contextFileName: context_file } : {},
        );
      }),
  };
}
