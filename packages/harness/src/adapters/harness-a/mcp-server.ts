import type { Artifact } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { FileOperation, PlaceContext, Untranslatable } from '../../adapter.ts';
import { readMcpServer, renderMap, renderSecrets, type McpServer } from '../../place/mcp-server.ts';

/** An entry under `mcpServers`; bundled files are dropped. */
export function placeMcpServer(
  artifact: Artifact,
  { prefix }: PlaceContext,
): FileOperation[] | Untranslatable {
  const server = readMcpServer(artifact.fields);
  if (server === undefined) {
    return { untranslatable: 'the mcp-server has no server_identifier, command or url' };
  }
  return [
    {
      kind: 'merge-json',
      path: '.mcp.json',
      entry: {
        shape: 'map',
        container: ['mcpServers'],
        key: prefix + artifact.name,
        artifact_id: artifact.id,
        value: toEntry(server),
      },
    },
  ];
}

function toEntry(server: McpServer): JsonObject {
  const type: JsonObject = server.transport === undefined ? {} : { type: server.transport };
  if (server.kind === 'remote') {
    return { ...type, url: render(server.url), ...withMap('headers', server.headers) };
  }
  const args = server.args.map(render);
  return {
    ...type,
    command: render(server.command),
    ...(args.length === 0 ? {} : { args }),
    ...withMap('env', server.env),
  };
}

function withMap(name: 'env' | 'headers', map: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(map).length === 0 ? {} : { [name]: renderMap(map, render) };
}

/** The harness fills in variables of its environment itself. */
function render(text: string): string {
  return renderSecrets(text, (name) => `\${${name}}`);
}
