import { mcpEntry } from '../../place/mcp-server.ts';

/** A server as the command line reads it, in its files and in agents. */
export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});

/** A server as VS Code reads it in `.vscode/mcp.json`. */
export const editorServerEntry = mcpEntry({
  secret: (name) => `\${env:${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});
