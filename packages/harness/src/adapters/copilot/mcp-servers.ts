import { mcpEntry } from '../../place/mcp-server.ts';

/** Format of the command line tool, in its files and in agents. */
export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});

/** For VS Code, in `.vscode/mcp.json`. */
export const editorServerEntry = mcpEntry({
  secret: (name) => `\${env:${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});
