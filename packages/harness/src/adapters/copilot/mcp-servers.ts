import { mcpEntry } from '../../place/mcp-server.ts';

/** Format of servers in the command line tool and in agents. */
export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});

/** Format of servers in VS Code, in `.vscode/mcp.json`. */
export const editorServerEntry = mcpEntry({
  secret: (name) => `\${env:${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});
