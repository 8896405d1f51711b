import { PLACEHOLDER } from '@catalog/harness/place/command-arguments';
import { markedBody } from '@catalog/harness/place/document-text';
import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type McpServer,
  type PromptArgument,
} from '@modelcontextprotocol/server';
import { asked, listed, pageOf, type OpenView } from './view.ts';

/** Prompts per page: the arguments of a prompt are in its text, so each of them is loaded. */
const PAGE = 20;

/** The argument for `$ARGUMENTS`. */
const ALL = 'arguments';

/** Serves every command as a prompt under its id. */
export function attachPrompts(
  { server }: McpServer,
  open: OpenView,
  warn: (line: string) => void,
): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', ({ params }, context) =>
    listed({ prompts: [] }, warn, async () => {
      const registry = await open(context);
      const { signal } = context.mcpReq;
      const all = await registry.listArtifacts(signal);
      const commands = all.filter(({ type }) => type === 'command');
      const { items, ...rest } = pageOf(commands, ({ id }) => id, params?.cursor, PAGE);
      const prompts = items.map(async ({ id, description }) => ({
        name: id,
        description,
        arguments: await listed([], warn, async () => {
          const { artifact } = await registry.loadArtifact({ id }, signal);
          return argumentsOf(markedBody(artifact));
        }),
      }));
      return { prompts: await Promise.all(prompts), ...rest };
    }),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    asked(params.name, async (): Promise<GetPromptResult> => {
      const registry = await open(context);
      const { artifact } = await registry.loadArtifact({ id: params.name }, context.mcpReq.signal);
      if (artifact.type !== 'command') {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `${artifact.id} has the type ${artifact.type}; prompts are commands.`,
        );
      }
      const text = fillIn(markedBody(artifact), params.arguments ?? {});
      return {
        description: artifact.description,
        messages: [{ role: 'user', content: { type: 'text', text } }],
      };
    }),
  );
}

/** Returns one optional argument for each placeholder of a text: `$ARGUMENTS` first, then by number. */
export function argumentsOf(text: string): PromptArgument[] {
  const placeholders = new Set([...text.matchAll(PLACEHOLDER)].map(([whole]) => whole));
  return [...placeholders].sort(byPlace).map((placeholder) => ({
    name: nameOf(placeholder),
    description: `Replaces ${placeholder}.`,
    required: false,
  }));
}

function byPlace(a: string, b: string): number {
  return Number(b === '$ARGUMENTS') - Number(a === '$ARGUMENTS') || a.localeCompare(b);
}

/** `arg1` for `$1`. */
function nameOf(placeholder: string): string {
  return placeholder === '$ARGUMENTS' ? ALL : `arg${placeholder.slice(1)}`;
}

/**
 * Replaces the placeholders of a text in one pass, so that placeholders in arguments stay. A number
 * without an argument of its own is that word of `arguments`, and `$ARGUMENTS` without one is all
 * the others.
 */
export function fillIn(text: string, given: Readonly<Record<string, string>>): string {
  const { [ALL]: all } = given;
  const words = all?.split(/\s+/).filter((word) => word !== '') ?? [];
  const own = Object.keys(given)
    .filter((name) => /^arg[1-9]$/.test(name))
    .sort();
  const joined = all ?? own.map((name) => given[name]).join(' ');
  return text.replaceAll(PLACEHOLDER, (placeholder, place: string | undefined) =>
    place === undefined ? joined : (given[nameOf(placeholder)] ?? words[Number(place) - 1] ?? ''),
  );
}
