import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';

/** An address without a type is read as a command and refused, so the type is always there. */
export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: typeOf,
});

function typeOf({ kind, transport }: McpServer): string | undefined {
  if (kind === 'local') return undefined;
  return transport === 'sse' || transport === 'ws' ? transport : 'http';
}
