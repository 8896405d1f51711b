import { mcpEntry } from '../../place/mcp-server.ts';

/** A server in the settings and in the file of an agent; Kiro expands `${NAME}` in both. */
export const serverEntry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });
