import { markedBody } from '@catalog/harness/place/document-text';
import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type McpServer,
} from '@modelcontextprotocol/server';
import { asked, pageOf, type OpenView } from './view.ts';

/** What a person may add to a command, as `$ARGUMENTS` has it. */
const ARGUMENT = {
  name: 'arguments',
  description: 'What stands for $ARGUMENTS; its words stand for $1, $2 and so on.',
  required: false,
};

/** Every command as a prompt, under its id. */
export function attachPrompts({ server }: McpServer, open: OpenView): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', ({ params }, context) =>
    asked('prompts', async () => {
      const registry = await open(context);
      const all = await registry.listArtifacts(context.mcpReq.signal);
      const commands = all.filter(({ type }) => type === 'command');
      const { items, ...rest } = pageOf(commands, ({ id }) => id, params?.cursor);
      const prompts = items.map(({ id, description }) => ({
        name: id,
        description,
        arguments: [ARGUMENT],
      }));
      return { prompts, ...rest };
    }),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    asked(params.name, async (): Promise<GetPromptResult> => {
      const registry = await open(context);
      const { artifact } = await registry.loadArtifact({ id: params.name }, context.mcpReq.signal);
      if (artifact.type !== 'command') {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `${artifact.id} is of the type ${artifact.type}; prompts are commands.`,
        );
      }
      const text = fillIn(markedBody(artifact), params.arguments?.['arguments'] ?? '');
      return {
        description: artifact.description,
        messages: [{ role: 'user', content: { type: 'text', text } }],
      };
    }),
  );
}

/** A command's text with what a person added in its place; once over it, so that nothing added is read. */
export function fillIn(text: string, given: string): string {
  const words = given.split(/\s+/).filter((word) => word !== '');
  return text.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_, place: string | undefined) =>
    place === undefined ? given : (words[Number(place) - 1] ?? ''),
  );
}
