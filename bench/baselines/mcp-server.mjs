// MCP server that uses only the SDK, with four tools that return nothing, on stdin and stdout.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'baseline', version: '1.0.0' });
  for (const name of ['one', 'two', 'three', 'four']) {
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, () => ({
      content: [],
    }));
  }
  return server;
});
