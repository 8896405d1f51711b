import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { secretsOf } from './secrets-of.ts';

/** Returns a function that rejects servers with secrets, for products that cannot refer to them. */
export function refusesSecrets(product: string): (server: McpServer) => string | undefined {
  return (server) =>
    secretsOf(server).length === 0
      ? undefined
      : `${product} has no way to refer to a secret, and catalog writes none into a file; add the server in its own settings`;
}
