import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { secretsOf } from '../../place/secrets-of.ts';

/** Claude Desktop starts programs from its file, and hands them what stands there as it stands. */
export function whyNotRun(server: McpServer): string | undefined {
  if (server.kind === 'remote') {
    return 'Claude Desktop does not read addresses from its file; add the server as a connector in its settings';
  }
  const [secret] = secretsOf(server);
  if (secret !== undefined) {
    return `Claude Desktop cannot read environment variables, so its file would contain ${secret}; start the server from a script that sets it`;
  }
  return undefined;
}
