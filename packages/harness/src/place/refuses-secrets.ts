import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { secretsOf } from './secrets-of.ts';

/** For products that cannot reference secrets. */
export function refusesSecrets(product: string): (server: McpServer) => string | undefined {
  return (server) =>
    secretsOf(server).length === 0
      ? undefined
      : `${product} has no way to refer to a secret, and catalog writes none into a file; add the server in its own settings`;
}
