import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { renderSecrets } from './mcp-server.ts';

export function secretsOf(server: McpServer): string[] {
  const names = new Set<string>();
  for (const text of textsOf(server)) {
    renderSecrets(text, (name) => {
      names.add(name);
      return '';
    });
  }
  return [...names];
}

function textsOf(server: McpServer): string[] {
  return server.kind === 'remote'
    ? [server.url, ...Object.values(server.headers)]
    : [server.command, ...server.args, ...Object.values(server.env)];
}
