import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { JsonObject } from '@catalog/core/json';
import { mcpEntry } from '../../place/mcp-server.ts';
import { secretsOf } from '../../place/secrets-of.ts';

/** A type is always written, because Claude Code treats a URL without one as a command. */
export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: typeOf,
});

function typeOf({ kind, transport }: McpServer): string | undefined {
  if (kind === 'local') return undefined;
  return transport === 'sse' || transport === 'ws' ? transport : 'http';
}

/**
 * Converts a server of an agent. Claude Code expands no placeholders there, but the program inherits the environment,
 * so a secret with its own name needs no entry.
 */
export function agentServerEntry(server: McpServer): JsonObject {
  return mcpServerEntry(withoutInherited(server));
}

/** Returns why secrets cannot be passed to a server of an agent; undefined if they can. */
export function whyNoSecrets(server: McpServer): string | undefined {
  const [name] = secretsOf(withoutInherited(server));
  if (name === undefined) return undefined;
  const inherit = server.kind === 'local' ? `write ${name}: \${secret:${name}} in env, or ` : '';
  return `Claude Code expands no environment variables in the file of an agent; ${inherit}deliver the server as an mcp-server artifact`;
}

function withoutInherited(server: McpServer): McpServer {
  if (server.kind === 'remote') return server;
  const env = Object.entries(server.env).filter(([name, value]) => value !== `\${secret:${name}}`);
  return { ...server, env: Object.fromEntries(env) };
}
