import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { secretsOf } from '../../place/secrets-of.ts';

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

/** The limits of Gemini CLI, and of the products that follow it. */
export const GEMINI_LIMITS: ServerLimits = {
  allowed: ['includeTools'],
  denied: ['excludeTools'],
  timeout: { member: 'timeout', parts: 1000 },
};

function isEvents({ transport }: McpServer): boolean {
  return transport === 'sse';
}

export function whyNotRun({ transport }: McpServer): string | undefined {
  return transport === 'ws'
    ? 'Gemini CLI has no transport ws; it reaches servers by streamable HTTP, SSE and stdio'
    : undefined;
}

/**
 * Why Gemini CLI cannot run a server of an agent. In such a server it expands variables after it has
 * blanked those that look like secrets, and none in the command, its arguments or the URL.
 */
export function whyNotRunForAgent(server: McpServer): string | undefined {
  const [name] = secretsOf(server);
  if (name === undefined) return whyNotRun(server);
  return `Gemini CLI blanks secrets such as ${name} in the servers of an agent; deliver the server as an mcp-server artifact`;
}
