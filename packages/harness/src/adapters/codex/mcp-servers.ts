import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { secretsOf } from '../../place/secrets-of.ts';

type LocalServer = Extract<McpServer, { kind: 'local' }>;
type RemoteServer = Extract<McpServer, { kind: 'remote' }>;

const ONE_SECRET = /^\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}$/;
const BEARER = /^Bearer \$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}$/;

/**
 * Converts a server. Codex expands no placeholders, so secrets are passed by name as environment variables, headers or
 * the bearer token.
 */
export function mcpServerEntry(server: McpServer): JsonObject {
  return server.kind === 'local' ? localEntry(server) : remoteEntry(server);
}

function localEntry({ command, args, env }: LocalServer): JsonObject {
  const handed = Object.keys(env).filter((name) => isInherited(name, env[name]));
  const literal = Object.entries(env).filter(([name]) => !handed.includes(name));
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(literal.length === 0 ? {} : { env: Object.fromEntries(literal) }),
    ...(handed.length === 0 ? {} : { env_vars: handed }),
  };
}

function remoteEntry({ url, headers }: RemoteServer): JsonObject {
  const entry: JsonObject = { url };
  const literal: JsonObject = {};
  const named: JsonObject = {};
  for (const [header, value] of Object.entries(headers)) {
    const token = tokenOf(header, value);
    const secret = ONE_SECRET.exec(value)?.[1];
    if (token !== undefined) entry['bearer_token_env_var'] = token;
    else if (secret !== undefined) named[header] = secret;
    else literal[header] = value;
  }
  return {
    ...entry,
    ...(Object.keys(literal).length === 0 ? {} : { http_headers: literal }),
    ...(Object.keys(named).length === 0 ? {} : { env_http_headers: named }),
  };
}

export function whyNotRun(server: McpServer): string | undefined {
  if (server.transport === 'sse' || server.transport === 'ws') {
    return `Codex has no transport ${server.transport}; it reaches servers by streamable HTTP and by stdio`;
  }
  const left = secretsOf(withoutNamedSecrets(server));
  if (left.length === 0) return undefined;
  return server.kind === 'local'
    ? `Codex hands a variable on under its own name only; write ${left[0]}: \${secret:${left[0]}} in env, and nowhere else`
    : `Codex reads a whole header or a bearer token from an environment variable; ${left[0]} is only part of a value`;
}

function withoutNamedSecrets(server: McpServer): McpServer {
  if (server.kind === 'local') {
    const env = Object.entries(server.env).filter(([name, value]) => !isInherited(name, value));
    return { ...server, env: Object.fromEntries(env) };
  }
  const headers = Object.entries(server.headers).filter(
    ([header, value]) => tokenOf(header, value) === undefined && !ONE_SECRET.test(value),
  );
  return { ...server, headers: Object.fromEntries(headers) };
}

function isInherited(name: string, value: string | undefined): boolean {
  return ONE_SECRET.exec(value ?? '')?.[1] === name;
}

function tokenOf(header: string, value: string): string | undefined {
  return header.toLowerCase() === 'authorization' ? BEARER.exec(value)?.[1] : undefined;
}
