import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { JsonObject } from '@catalog/core/json';

export function renderSecrets(text: string, reference: (name: string) => string): string {
  return text.replaceAll(SECRET, (_, name: string) => reference(name));
}

const SECRET = /\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The object has no prototype, so that no key is inherited. */
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
  /** `parts`: units per second, 1000 for milliseconds. */
  timeout?: { member: string; parts: number };
  /** For a product without tool lists. */
  exposure?: ToolExposure;
  /** Reason why `allowed` is not enforced everywhere, as a sentence without a period. */
  partial?: string;
}

export interface McpEntryForm {
  /** For example, `${NAME}`. */
  secret: (name: string) => string;
  /** Absent if the product infers the `type`. */
  type?: (server: McpServer) => string | undefined;
  /** Defaults to `url`. */
  url?: (server: McpServer) => string;
  env?: string;
  headers?: string;
}

/** Renders `{type?, command, args?, env?}` or `{type?, url, headers?}`. */
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
