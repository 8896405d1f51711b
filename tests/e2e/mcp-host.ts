import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type CallToolResult, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mcpCommand } from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { onTestFinished } from 'vitest';

/** Newest protocol revisions with and without `initialize`. */
export const PROTOCOL_REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const MODERN = '2026-07-28';

export interface Project {
  root: string;
  home: string;
}

export function openProject(files: FileTree = {}): Project {
  const folder = realpathSync(temporaryFolder('catalog-mcp-'));
  const project = { root: join(folder, 'work'), home: join(folder, 'home') };
  for (const path of Object.values(project)) mkdirSync(path);
  writeTree(project.root, files);
  return project;
}

export interface HostOptions extends Project {
  env: Readonly<Record<string, string>>;
  /** Protocol version of the host; by default the newest one with a handshake. */
  revision?: string;
  /** Workspace roots of the host; if undefined, the host does not support roots. */
  roots?: readonly string[];
  /** Confirms a form for the user; if undefined, the host does not support forms. */
  confirms?: (message: string) => boolean;
  /** Opens a URL for the user; if undefined, the host does not support URLs. */
  visits?: (url: string, message: string) => Visit | Promise<Visit>;
  info?: { name: string; version: string };
}

type Visit = 'accept' | 'decline' | 'cancel';

export interface ConnectedHost {
  client: Client;
  stderr: () => string;
  /** Calls a tool that returns without waiting for the user. */
  call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
}

export async function connectHost(options: HostOptions): Promise<ConnectedHost> {
  const { revision = '2025-11-25', roots, confirms, visits, info } = options;
  const capabilities: ClientCapabilities = {
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
    ...(confirms === undefined ? {} : { elicitation: {} }),
    ...(visits === undefined ? {} : { elicitation: { url: {} } }),
  };
  const client = new Client(info ?? { name: 'test-host', version: '1.0.0' }, {
    capabilities,
    ...(revision === MODERN
      ? { versionNegotiation: { mode: { pin: MODERN } } }
      : { supportedProtocolVersions: [revision] }),
  });
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }));
  }
  if (confirms !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { confirm: confirms(params.message) },
    }));
  }
  if (visits !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('it was asked for a form');
      return { action: await visits(params.url, params.message) };
    });
  }
  const transport = new StdioClientTransport({
    ...mcpCommand([], { ...options, cwd: options.root }),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  onTestFinished(() => client.close());
  await client.connect(transport);
  return {
    client,
    stderr: () => stderr,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
  };
}

export interface RawRun {
  code: number | null;
  /** Each line of stdout as parsed JSON; any other output fails the test. */
  messages: Record<string, unknown>[];
  stderr: string;
}

export async function runRaw(
  lines: readonly (string | object)[],
  options: HostOptions,
  args: readonly string[] = [],
): Promise<RawRun> {
  const { command, args: words, env, cwd } = mcpCommand(args, { ...options, cwd: options.root });
  const child = spawn(command, words, { env, cwd });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const closed = once(child, 'close');
  child.stdin.on('error', () => undefined);
  child.stdin.end(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  await closed;
  const printed = output.stdout.split('\n').filter((line) => line !== '');
  return {
    code: child.exitCode,
    messages: printed.map((line) => JSON.parse(line)),
    stderr: output.stderr,
  };
}

export function modernRequest(
  id: number,
  method: string,
  params: object = {},
  claims: { revision?: string; info?: object } = {},
): object {
  const { revision = MODERN, info = { name: 'test-host', version: '1.0.0' } } = claims;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

export function initialize(
  protocolVersion: string,
  clientInfo: object = { name: 'test-host', version: '1.0.0' },
): object {
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}
