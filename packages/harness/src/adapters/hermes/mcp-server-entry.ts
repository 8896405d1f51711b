import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';

const entry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });

/** The transport of a server that is reached is said only where it is the older one. */
export function mcpServerEntry(server: McpServer): JsonObject {
  const sse = server.kind === 'remote' && server.transport === 'sse';
  return { ...entry(server), ...(sse ? { transport: 'sse' } : {}) };
}
