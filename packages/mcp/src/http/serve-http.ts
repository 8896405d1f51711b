import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { McpSettings } from '../configure.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { newSecret } from '../id.ts';
import { membersOf, rejectHost, UNSUPPORTED_VERSION } from '../reject-host.ts';
import { createServer } from '../serve.ts';
import type { Runtime } from '../tools/tool.ts';
import { admit, MCP_PATH } from './admit.ts';
import { MAX_BODY_BYTES, readBody, toRequest, writeResponse } from './web-bridge.ts';

const HOST = '127.0.0.1';

export interface HttpServing {
  /** Port; 0 selects a free one. */
  port: number;
  settings: Pick<McpSettings, 'min_clients'>;
  openRuntime: () => Promise<Runtime>;
  diagnostics: Diagnostics;
  attach?: ((server: McpServer) => Promise<McpServer>) | undefined;
}

export interface RunningHttp {
  url: string;
  secret: string;
  close(): Promise<void>;
}

/** Serves MCP over HTTP. Requests need a secret, which is printed once. */
export async function serveHttp(serving: HttpServing): Promise<RunningHttp> {
  const { openRuntime, diagnostics, attach } = serving;
  const create = (): McpServer => createServer({ openRuntime, report: diagnostics.failure });
  const handler = createMcpHandler(() => (attach === undefined ? create() : attach(create())), {
    onerror: (error) => diagnostics.problem(error.message),
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const running = await listenHttp(handler, serving);
  diagnostics.note(`listening on ${running.url}`);
  diagnostics.note(`send the header "Authorization: Bearer ${running.secret}"`);
  return running;
}

/** Starts the listener, which authorizes each request before it reaches the handler. */
export async function listenHttp(
  handler: McpHttpHandler,
  { port, settings, diagnostics }: Omit<HttpServing, 'openRuntime'>,
): Promise<RunningHttp> {
  const secret = newSecret();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const refusal = admit(incoming, secret);
    if (refusal !== undefined) return refuse(outgoing, refusal);
    const body = await readBody(incoming);
    if (body === undefined) return void outgoing.writeHead(413, { connection: 'close' }).end();
    const unserved = refuseBody(body, incoming.headers['mcp-protocol-version'], settings);
    if (unserved !== undefined) return sendJson(outgoing, 400, unserved);
    const response = await handler.fetch(toRequest(incoming, outgoing, body));
    return writeResponse(response, outgoing);
  }

  const server = createHttpServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.destroyed) diagnostics.failure(error);
      outgoing.destroy();
    });
  });
  server.listen(port, HOST);
  await Promise.race([once(server, 'listening'), failed(once(server, 'error'), port)]);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    url: `http://${HOST}:${address.port}${MCP_PATH}`,
    secret,
    async close() {
      await handler.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function failed(error: Promise<unknown[]>, port: number): Promise<never> {
  const [cause] = await error;
  throw new CatalogError('config.invalid', `catalog-mcp cannot listen on port ${port}.`, {
    suggested_action: 'Choose an unused port, or leave the port out.',
    cause,
  });
}

function refuseBody(
  body: Buffer,
  version: string | string[] | undefined,
  { min_clients }: HttpServing['settings'],
): object | undefined {
  const { id, method, params } = membersOf(parse(body));
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) {
    return undefined;
  }
  const error = rejectHost(method, params, min_clients);
  if (error === undefined) return undefined;
  // If header and body name different versions, the handler rejects the request.
  if (error.code === UNSUPPORTED_VERSION && version !== error.data['requested']) return undefined;
  return { jsonrpc: '2.0', id, error };
}

/** Parses a body. The handler rejects invalid JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function refuse(outgoing: ServerResponse, error: CatalogError): void {
  const status = ERROR_CODES[error.code].status ?? 400;
  if (status === 401) outgoing.setHeader('www-authenticate', 'Bearer');
  sendJson(outgoing, status, error.toEnvelope());
}

function sendJson(outgoing: ServerResponse, status: number, value: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
