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

/** The newest revision of each era. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
const MODERN = '2026-07-28';

/** A person's machine with a project that an agent works in. */
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
  /** The revision the host speaks; the newest with a handshake unless named. */
  revision?: string;
  /** Folders the host names; it cannot name any where this is absent. */
  roots?: readonly string[];
  /** What its user answers to a form; it cannot show any where this is absent. */
  confirms?: (message: string) => boolean;
  /** What its user does with an address; it cannot show any where this is absent. */
  visits?: (url: string, message: string) => Visit | Promise<Visit>;
  info?: { name: string; version: string };
}

/** The user went there, did not want to, or looked away. */
type Visit = 'accept' | 'decline' | 'cancel';

export interface ConnectedHost {
  client: Client;
  /** What the server printed on stderr so far. */
  stderr: () => string;
  /** Calls a tool that answers at once. */
  call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
}

/** The official client, connected to the installed `catalog-mcp` over stdio. */
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
  /** Each line of stdout, parsed: anything but JSON fails the test. */
  messages: Record<string, unknown>[];
  stderr: string;
}

/** Starts `catalog-mcp`, writes the lines, closes stdin and waits for the end. */
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

/** A request of the revision without a handshake. */
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

/** The request that opens a connection in the older era. */
export function initialize(
  protocolVersion: string,
  clientInfo: object = { name: 'test-host', version: '1.0.0' },
): object {
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}
