import { mcpEntry } from '../../place/mcp-server.ts';

/** Kiro expands `${NAME}` in the settings and in agent files. */
export const serverEntry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });
