import type { Artifact } from '@catalog/core/artifact/types';
import { markedDocument } from '@catalog/harness/place/document-text';
import { isImported } from '@catalog/harness/place/provenance';
import {
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { newMark } from '../id.ts';
import { inlineResources } from '../tools/inline-resources.ts';
import { markContents, markText } from '../untrusted-data.ts';
import {
  withProtocolErrors,
  decodeId,
  encodeId,
  listOrEmpty,
  pageOf,
  type OpenView,
} from './view.ts';

const BASE = 'catalog://artifact/';

export function attachResources(
  mcp: McpServer,
  open: OpenView,
  warn: (line: string) => void,
): void {
  mcp.registerResource(
    'artifact',
    new ResourceTemplate(`${BASE}{+id}`, { list: undefined }),
    { title: 'An artifact of the catalog', mimeType: 'text/markdown' },
    (uri, _, context) =>
      withProtocolErrors(uri.href, async () => {
        const registry = await open(context);
        const id = decodeId(uri.href.slice(BASE.length));
        const { artifact } = await registry.loadArtifact({ id }, context.mcpReq.signal);
        return contentsOf(uri.href, artifact);
      }),
  );
  mcp.server.setRequestHandler('resources/list', ({ params }, context) =>
    listOrEmpty({ resources: [] }, warn, async () => {
      const registry = await open(context);
      const all = await registry.listArtifacts(context.mcpReq.signal);
      const { items, ...rest } = pageOf(all, ({ id }) => id, params?.cursor);
      const resources = items.map(({ id, type, description }) => ({
        uri: BASE + encodeId(id),
        name: encodeId(id),
        title: `${encodeId(id)} (${encodeURIComponent(type)})`,
        // The list does not contain which artifacts are imported.
        description: markText(description),
        mimeType: 'text/markdown',
      }));
      return { resources, ...rest };
    }),
  );
}

/** Returns the contents of a resource, the artifact first. The URI of a bundled file ends with `#` and its path. */
function contentsOf(uri: string, artifact: Artifact): ReadResourceResult {
  const document = artifact.skill ?? artifact.manifest;
  const text = document === undefined ? '' : markedDocument(document, artifact, newMark());
  const files = Object.entries(inlineResources(artifact.resources).resources);
  const contents = [
    { uri, mimeType: 'text/markdown', text },
    ...files.map(([path, content]) => ({
      uri: `${uri}#${encodeURI(path)}`,
      mimeType: 'text/plain',
      text: content,
    })),
  ];
  return { contents: isImported(artifact.fields.source) ? markContents(contents) : contents };
}
