import type { Artifact } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { McpConfig, Untranslatable } from '../adapter.ts';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';

export interface AgentServers {
  servers: JsonObject | undefined;
}

export function agentServers(
  { fields }: Artifact,
  { entry, refuses }: Pick<McpConfig, 'entry' | 'refuses'>,
): AgentServers | Untranslatable {
  const { mcpServers = [] } = fields;
  if (mcpServers.length === 0) return { servers: undefined };
  const servers: JsonObject = Object.create(null);
  for (const { name, ...field } of mcpServers) {
    const server = readMcpServer({ type: 'mcp-server', version: '', ...field });
    if (server === undefined) {
      return { untranslatable: `its server ${name} has neither a command nor a url` };
    }
    const reason = refuses?.(server);
    if (reason !== undefined) return { untranslatable: `its server ${name}: ${reason}` };
    servers[name] = entry(server);
  }
  return { servers };
}
