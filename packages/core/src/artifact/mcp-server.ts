import type { ArtifactFields } from './types.ts';

/** Limits on the tools of an MCP server, and the timeout of a call in seconds. */
interface ServerLimits {
  allowed_tools?: string[];
  denied_tools?: string[];
  timeout?: number;
}

/** MCP server of an artifact. Secrets have the form `${secret:NAME}`. */
export type McpServer = { transport: string | undefined } & ServerLimits &
  (
    | { kind: 'local'; command: string; args: string[]; env: Record<string, string> }
    | { kind: 'remote'; url: string; headers: Record<string, string> }
  );

/**
 * Returns the server of an mcp-server artifact; undefined if the artifact names none. Its own fields (SPEC-68) have
 * precedence over the short form `server_identifier`: a URL, `command:argument`, or a command.
 */
export function readMcpServer(fields: ArtifactFields): McpServer | undefined {
  const { server_identifier: identifier = '', transport } = fields;
  const url = fields.url ?? (isUrl(identifier) ? identifier : '');
  if (fields.command === undefined && url !== '') {
    return { kind: 'remote', transport, url, headers: fields.headers ?? {}, ...limitsOf(fields) };
  }
  const colon = identifier.indexOf(':');
  const short =
    colon === -1 ? [identifier] : [identifier.slice(0, colon), identifier.slice(colon + 1)];
  const [command = '', ...args] = fields.command === undefined ? short : [fields.command];
  if (command === '') return undefined;
  return {
    kind: 'local',
    transport,
    command,
    args: fields.args ?? args,
    env: fields.env ?? {},
    ...limitsOf(fields),
  };
}

function limitsOf({ allowed_tools, denied_tools, timeout }: ArtifactFields): ServerLimits {
  return {
    ...(allowed_tools === undefined ? {} : { allowed_tools }),
    ...(denied_tools === undefined ? {} : { denied_tools }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

function isUrl(identifier: string): boolean {
  return identifier.includes('://');
}
