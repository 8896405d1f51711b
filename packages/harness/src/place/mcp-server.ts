import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { JsonObject } from '@catalog/core/json';

/** `${secret:NAME}` wherever it stands in a value, in the spelling of one harness. */
export function renderSecrets(text: string, reference: (name: string) => string): string {
  return text.replaceAll(SECRET, (_, name: string) => reference(name));
}

const SECRET = /\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A map of texts as JSON, each rendered; no prototype, so that every name is only a name. */
export function renderMap(
  map: Readonly<Record<string, string>>,
  render: (text: string) => string,
): JsonObject {
  const object: JsonObject = Object.create(null);
  for (const name of Object.keys(map)) object[name] = render(map[name] ?? '');
  return object;
}

/** Members with which a product hides tools of a server from the model. */
export interface ToolExposure {
  /** Member that applies to all tools. */
  server: string;
  /** Member with the exceptions, by tool. */
  tools: string;
  hidden: string;
  shown: string;
}

/** A product's keys for the tools of an MCP server and the time limit of a call. */
export interface ServerLimits {
  /** Member with the tools the server may offer, or the path of one. */
  allowed?: readonly string[];
  /** Member with the tools it must not offer. */
  denied?: readonly string[];
  /** Member with the time limit, and its parts of a second: 1000 for milliseconds. */
  timeout?: { member: string; parts: number };
  /** For a product without lists of tools: the members that state for each tool who gets it. */
  exposure?: ToolExposure;
  /** Why `allowed` does not hold everywhere although it is written, as a sentence without a full stop. */
  partial?: string;
}

/** Names of the members an entry is made of, as one product spells them. */
export interface McpEntryForm {
  /** How a secret is referred to: `${NAME}`. */
  secret: (name: string) => string;
  /** The `type` an entry carries by its transport; absent where the product infers it. */
  type?: (server: McpServer) => string | undefined;
  /** The member that holds the address; `url` where absent. */
  url?: (server: McpServer) => string;
  env?: string;
  headers?: string;
}

/** The common form of an entry: `{type?, command, args?, env?}` or `{type?, url, headers?}`. */
export function mcpEntry(form: McpEntryForm): (server: McpServer) => JsonObject {
  const render = (text: string): string => renderSecrets(text, form.secret);
  const withMap = (name: string, map: Readonly<Record<string, string>>): JsonObject =>
    Object.keys(map).length === 0 ? {} : { [name]: renderMap(map, render) };
  return (server) => {
    const given = form.type === undefined ? server.transport : form.type(server);
    const type: JsonObject = given === undefined ? {} : { type: given };
    if (server.kind === 'remote') {
      const address = { [form.url?.(server) ?? 'url']: render(server.url) };
      return { ...type, ...address, ...withMap(form.headers ?? 'headers', server.headers) };
    }
    const args = server.args.map(render);
    return {
      ...type,
      command: render(server.command),
      ...(args.length === 0 ? {} : { args }),
      ...withMap(form.env ?? 'env', server.env),
    };
  };
}
