import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { cursorHooks, cursorMarketplace, cursorPlugin, cursorServers } from '../schemas/cursor.ts';
import { readJson } from '../read-files.ts';
import { editText } from '../workspace.ts';

async function observe({ workspace }: Observation): Promise<string[]> {
  const list = cursorMarketplace.safeParse(
    readJson(join(workspace, '.cursor-plugin/marketplace.json')),
  );
  if (!list.success) return [list.error.message];
  return [
    'the list is valid',
    ...list.data.plugins.flatMap(({ name, source }) => {
      const plugin = join(workspace, source);
      const valid = [
        cursorPlugin.safeParse(readJson(join(plugin, '.cursor-plugin/plugin.json'))).success,
        cursorHooks.safeParse(readJson(join(plugin, 'hooks/hooks.json'))).success,
        cursorServers.safeParse(readJson(join(plugin, 'mcp.json'))).success,
      ];
      return valid.every(Boolean) ? [`plugin: ${name}`] : [];
    }),
  ];
}

export const cursorMarketplaceCheck: MarketplaceCheck = {
  harnesses: ['claude-code', 'codex', 'cursor', 'agent-plugins'],
  expects: ['the list is valid', 'plugin: demo'],
  observe,
  breaks: (folder) => {
    editText(join(folder, '.cursor-plugin/marketplace.json'), (text) =>
      text.replace('"name":"demo"', '"name":"demo","x-catalog-id":"demo"'),
    );
  },
};
