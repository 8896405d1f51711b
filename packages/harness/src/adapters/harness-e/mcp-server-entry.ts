import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { renderMap, renderSecrets } from '../../place/mcp-server.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';

export function mcpServerEntry(server: McpServer): JsonObject {
  if (server.kind === 'remote') {
    return {
      type: 'remote',
      url: render(server.url),
      enabled: true,
      ...withMap('headers', server.headers),
    };
  }
  return {
    type: 'local',
    command: [server.command, ...server.args].map(render),
    enabled: true,
    ...withMap('environment', server.env),
  };
}

/** Limits of servers in OpenCode and Kilo. */
export const LIMITS: ServerLimits = { timeout: { member: 'timeout', parts: 1000 } };

function render(text: string): string {
  return renderSecrets(text, (name) => `{env:${name}}`);
}

function withMap(name: string, map: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(map).length === 0 ? {} : { [name]: renderMap(map, render) };
}
