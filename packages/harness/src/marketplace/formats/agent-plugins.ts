import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { MarketplaceFormat } from '../format.ts';
import { pluginDocument } from '../plugin-documents.ts';

const SCHEMAS = 'https://agent-plugins.org/schemas/1.0.0';

/**
 * Agent Plugins specification 1.0.0, with fixed places for skills and servers. It has no list of plugins; each folder
 * is one.
 */
export const agentPlugins: MarketplaceFormat = {
  id: 'agent-plugins',
  revision: 1,
  plugins: 'many',
  landing: undefined,
  components: {
    skill: { folder: 'skills', keys: 'open' },
    'mcp-server': { to: 'mcp.json', container: ['mcpServers'], entry: serverEntry, refuses },
  },
  documents: ({ plugins }) =>
    plugins.flatMap((plugin) => {
      const manifest = pluginDocument('plugin.json', plugin);
      const $schema = `${SCHEMAS}/plugin.schema.json`;
      const own = { ...manifest, content: { $schema, ...manifest.content } };
      const servers = `${plugin.folder}mcp.json`;
      if (!plugin.paths.has(servers)) return [own];
      const content = { $schema: `${SCHEMAS}/mcp.schema.json` };
      return [own, { path: servers, plugin: plugin.name, content }];
    }),
};

function serverEntry(server: McpServer): JsonObject {
  if (server.kind === 'local') {
    const { command, args, env } = server;
    return {
      type: 'stdio',
      command,
      ...(args.length === 0 ? {} : { args }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    };
  }
  const { url, headers } = server;
  return {
    type: server.transport === 'sse' ? 'sse' : 'streamable-http',
    url,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

const SECRET = '${secret:';
const LOCAL_COMMAND = /^(?:\.\/)?[^/\\]+$|^\.\//;
const SAFE_ADDRESS = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

function refuses(server: McpServer): string | undefined {
  const texts =
    server.kind === 'local'
      ? [server.command, ...server.args, ...Object.values(server.env)]
      : [server.url, ...Object.values(server.headers)];
  if (texts.some((text) => text.includes(SECRET))) {
    return 'an Agent Plugins package has no way to refer to a secret';
  }
  if (server.kind === 'local') {
    return LOCAL_COMMAND.test(server.command)
      ? undefined
      : 'an Agent Plugins package runs a command by its name or below ./ only';
  }
  return SAFE_ADDRESS.test(server.url)
    ? undefined
    : 'an Agent Plugins package takes https addresses only';
}
