import type { ArtifactFields } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';

/** How a server is reached, with its secrets still written `${secret:NAME}`. */
export type McpServer = { transport: string | undefined } & (
  | { kind: 'local'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'remote'; url: string; headers: Record<string, string> }
);

/**
 * The server an mcp-server artifact describes: by its own fields (decision 68), else by the short
 * form `server_identifier`: an address, `command:argument`, or a command. Undefined where it names
 * none.
 */
export function readMcpServer(fields: ArtifactFields): McpServer | undefined {
  const { server_identifier: identifier = '', transport } = fields;
  const url = fields.url ?? (isAddress(identifier) ? identifier : '');
  if (fields.command === undefined && url !== '') {
    return { kind: 'remote', transport, url, headers: fields.headers ?? {} };
  }
  const colon = identifier.indexOf(':');
  const short =
    colon === -1 ? [identifier] : [identifier.slice(0, colon), identifier.slice(colon + 1)];
  const [command = '', ...args] = fields.command === undefined ? short : [fields.command];
  if (command === '') return undefined;
  return { kind: 'local', transport, command, args: fields.args ?? args, env: fields.env ?? {} };
}

function isAddress(identifier: string): boolean {
  return identifier.includes('://');
}

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
