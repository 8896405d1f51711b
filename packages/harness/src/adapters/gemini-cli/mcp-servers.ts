import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';

function secret(name: string): string {
  return `\${${name}}`;
}

/** A server in the settings: its address says by its key how it is spoken to. */
export const mcpServerEntry = mcpEntry({
  secret,
  type: () => undefined,
  url: (server) => (isEvents(server) ? 'url' : 'httpUrl'),
});

/** A server an agent brings along: the same in another spelling. */
export const agentServerEntry = mcpEntry({
  secret,
  type: () => undefined,
  url: (server) => (isEvents(server) ? 'url' : 'http_url'),
});

function isEvents({ transport }: McpServer): boolean {
  return transport === 'sse';
}

export function whyNotRun({ transport }: McpServer): string | undefined {
  return transport === 'ws'
    ? 'Gemini CLI has no transport ws; it reaches servers by streamable HTTP, SSE and stdio'
    : undefined;
}
