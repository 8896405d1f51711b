import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { JsonObject } from '@catalog/core/json';

export function renderSecrets(text: string, reference: (name: string) => string): string {
  return text.replaceAll(SECRET, (_, name: string) => reference(name));
}

const SECRET = /\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Renders a map without a prototype, so that no key is inherited. */
export function renderMap(
  map: Readonly<Record<string, string>>,
  render: (text: string) => string,
): JsonObject {
  const object: JsonObject = Object.create(null);
  for (const name of Object.keys(map)) object[name] = render(map[name] ?? '');
  return object;
}

export interface ToolExposure {
  server: string;
  tools: string;
  hidden: string;
  shown: string;
}

export interface ServerLimits {
  allowed?: readonly string[];
  denied?: readonly string[];
  /** Timeout; `parts` is the number of units per second, 1000 for milliseconds. */
  timeout?: { member: string; parts: number };
  /** Keys that show or hide each tool, for a product without lists of allowed and denied tools. */
  exposure?: ToolExposure;
  /** Why `allowed` is not enforced everywhere, as a sentence without a period. */
  partial?: string;
}

export interface McpEntryForm {
  /** Returns the reference to a secret, such as `${NAME}`. */
  secret: (name: string) => string;
  /** Returns the type; absent if the product infers it. */
  type?: (server: McpServer) => string | undefined;
  /** Returns the key of the URL; `url` if absent. */
  url?: (server: McpServer) => string;
  env?: string;
  headers?: string;
}

/** Returns a function that renders `{type?, command, args?, env?}` or `{type?, url, headers?}`. */
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
