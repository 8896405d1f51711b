import type { Artifact } from '@catalog/core/artifact/types';
import { PLACEHOLDER } from '@catalog/harness/place/command-arguments';
import { isImported, markUntrusted } from '@catalog/harness/place/provenance';
import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type McpServer,
  type Prompt,
  type PromptArgument,
} from '@modelcontextprotocol/server';
import { newMark } from '../id.ts';
import { markText } from '../untrusted-data.ts';
import {
  withProtocolErrors,
  decodeId,
  encodeId,
  listOrEmpty,
  pageOf,
  type OpenView,
} from './view.ts';

/** Prompts per page. Each prompt is loaded, because its content contains its arguments. */
const PAGE = 20;

const ALL = 'arguments';

export function attachPrompts(
  { server }: McpServer,
  open: OpenView,
  warn: (line: string) => void,
): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', ({ params }, context) =>
    listOrEmpty({ prompts: [] }, warn, async () => {
      const registry = await open(context);
      const { signal } = context.mcpReq;
      const all = await registry.listArtifacts(signal);
      const commands = all.filter(({ type }) => type === 'command');
      const { items, ...rest } = pageOf(commands, ({ id }) => id, params?.cursor, PAGE);
      const prompts = items.map(async ({ id, description }) => {
        const name = encodeId(id);
        const unknown = { name, description: markText(description), arguments: [] };
        return listOrEmpty<Prompt>(unknown, warn, async () => {
          const { artifact } = await registry.loadArtifact({ id }, signal);
          return {
            name,
            description: describeArtifact(artifact),
            arguments: argumentsOf(artifact.body),
          };
        });
      });
      return { prompts: await Promise.all(prompts), ...rest };
    }),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    withProtocolErrors(params.name, async (): Promise<GetPromptResult> => {
      const registry = await open(context);
      const { artifact } = await registry.loadArtifact(
        { id: decodeId(params.name) },
        context.mcpReq.signal,
      );
      if (artifact.type !== 'command') {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          markText(`${artifact.id} has the type ${artifact.type}; prompts are commands.`),
        );
      }
      const marked = markUntrusted(artifact.body, artifact.fields.source, newMark());
      const text = fillIn(marked, params.arguments ?? {});
      return {
        description: describeArtifact(artifact),
        messages: [{ role: 'user', content: { type: 'text', text } }],
      };
    }),
  );
}

function describeArtifact({ description, fields }: Artifact): string {
  return isImported(fields.source) ? markText(description) : description;
}

/** Returns the arguments of a prompt: `$ARGUMENTS` first, then the others by number. */
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

function nameOf(placeholder: string): string {
  return placeholder === '$ARGUMENTS' ? ALL : `arg${placeholder.slice(1)}`;
}

/**
 * Replaces placeholders in one pass, so that placeholders in arguments stay. A number without its own argument is that
 * word of `arguments`; without `arguments`, `$ARGUMENTS` means all numbered ones.
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
