import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGitRepository, type GitRepository } from './git-repository.ts';

export interface GitServerOptions {
  auth?: { username: string; password: string };
  /** Handles a request instead of git if it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface GitServer {
  host: string;
  port: number;
  addRepository(name: string): GitRepository & { url: string };
  /** Received requests, as `METHOD /path`. */
  requests: string[];
  authorizations: string[];
  close(): Promise<void>;
}

export async function startGitServer(
  folder: string,
  options: GitServerOptions = {},
): Promise<GitServer> {
  const requests: string[] = [];
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { authorization } = request.headers;
    if (authorization !== undefined) authorizations.push(authorization);
    if (options.intercept?.(request, response) === true) return;
    if (options.auth !== undefined && authorization !== basic(options.auth)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    serveGit(folder, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  return {
    host: '127.0.0.1',
    port,
    requests,
    authorizations,
    addRepository: (name) => ({
      ...createGitRepository(join(folder, name)),
      url: `http://127.0.0.1:${port}/${name}`,
    }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: headerOf(request, 'git-protocol'),
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headerOf(request, 'content-type'),
      HTTP_CONTENT_ENCODING: headerOf(request, 'content-encoding'),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  backend.stdin.on('error', () => {});
  response.on('close', () => backend.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) {
      if (!response.write(chunk)) {
        backend.stdout.pause();
        response.once('drain', () => backend.stdout.resume());
      }
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    writeHead(response, head.subarray(0, end).toString('latin1'));
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  backend.stdout.on('end', () => {
    if (head !== undefined) response.writeHead(500);
    response.end();
  });
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
