import type { McpConfig, Place } from '../adapter.ts';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';

/** Places an MCP server. Bundled files are dropped. */
export function placeMcpServer({ project, beside, entry, refuses }: McpConfig): Place {
  return (artifact, { prefix }) => {
    if (project === undefined)
      return { untranslatable: 'its servers are not read from a workspace' };
    const server = readMcpServer(artifact.fields);
    if (server === undefined) {
      return { untranslatable: 'the mcp-server has no server_identifier, command or url' };
    }
    const reason = refuses?.(server);
    if (reason !== undefined) return { untranslatable: reason };
    const { id: artifact_id, name } = artifact;
    const key = prefix + name;
    const files = [{ ...project, entry }, ...(beside === undefined ? [] : [beside])];
    return files.map(({ path, container, recorded, entry: form }) => ({
      kind: 'merge',
      path,
      entry: { shape: 'map', container, key, artifact_id, value: form(server), recorded },
    }));
  };
}
