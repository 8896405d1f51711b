import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { secretsOf } from '../../place/secrets-of.ts';

function secret(name: string): string {
  return `\${${name}}`;
}

/** Format of servers, whose URL key selects the transport. */
export const mcpServerEntry = mcpEntry({
  secret,
  type: () => undefined,
  url: (server) => (isEvents(server) ? 'url' : 'httpUrl'),
});

export const agentServerEntry = mcpEntry({
  secret,
  type: () => undefined,
  url: (server) => (isEvents(server) ? 'url' : 'http_url'),
});

/** Limits of servers in the products that are based on Gemini CLI. */
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
 * Returns why a server of an agent cannot run: Gemini CLI blanks variables that look like secrets before it expands
 * them, and expands nothing in the command, its arguments or the URL.
 */
export function whyNotRunForAgent(server: McpServer): string | undefined {
  const [name] = secretsOf(server);
  if (name === undefined) return whyNotRun(server);
  return `Gemini CLI blanks secrets such as ${name} in the servers of an agent; deliver the server as an mcp-server artifact`;
}
