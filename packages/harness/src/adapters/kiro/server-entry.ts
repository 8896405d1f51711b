import { mcpEntry } from '../../place/mcp-server.ts';

/** Kiro expands `${NAME}` in settings and in agents. */
export const serverEntry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });
