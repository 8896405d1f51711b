import { openDiagnostics } from '@catalog/mcp/diagnostics';
import { listenHttp } from '@catalog/mcp/http/serve-http';
import { createServer } from '@catalog/mcp/serve';
import { callTool } from '@catalog/mcp/tools/call-tool';
import { listTools } from '@catalog/mcp/tools/list-tools';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { attachFixtureSurfaces } from './fixture-surfaces.ts';
import { fixtureTools, schemaTool } from './fixture-tools.ts';
import { openWithSecret } from './with-secret.ts';

export interface FixtureServer {
  url: string;
  log(): string;
  close(): Promise<void>;
}

/**
 * Uses the same server and HTTP entry point as `catalog-mcp --http`, without a registry for the four
 * tools.
 */
export async function startFixtureServer(): Promise<FixtureServer> {
  let log = '';
  const diagnostics = openDiagnostics((line) => (log += line));
  const handler = createMcpHandler(() => {
    const mcp = createServer({ openRuntime: openWithoutRegistry, report: diagnostics.failure });
    return attachFixtureSurfaces(withFixtures(mcp), diagnostics);
  });
  const settings = { min_clients: new Map<string, string>() };
  const running = await listenHttp(handler, { port: 0, settings, diagnostics });
  const door = await openWithSecret(running.url, running.secret);
  return {
    url: door.url,
    log: () => log,
    async close() {
      door.close();
      await running.close();
    },
  };
}

function openWithoutRegistry(): Promise<never> {
  return Promise.reject(new Error('nothing lies behind the four here'));
}

function withFixtures(mcp: McpServer): McpServer {
  const { server } = mcp;
  const inputSchema = { type: 'object' as const };
  const added = Object.keys(fixtureTools).map((name) => ({ name, description: name, inputSchema }));
  const tools = [...listTools(), ...added, schemaTool];
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = fixtureTools[params.name];
    if (tool !== undefined) return tool(context);
    return callTool({
      name: params.name,
      args: params.arguments,
      signal: context.mcpReq.signal,
      openContext: openWithoutRegistry,
      report: () => undefined,
    });
  });
  return mcp;
}
