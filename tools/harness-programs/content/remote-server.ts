import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

/** The port is free because each run has its own network namespace. */
const PORT = 48_117;

export interface RemoteServer {
  headers: IncomingHttpHeaders[];
  close: () => Promise<void>;
}

export async function startRemoteServer(): Promise<RemoteServer> {
  const headers: IncomingHttpHeaders[] = [];
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    headers.push(request.headers);
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = method === 'initialize' ? introduction(params) : { tools: [] };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
  const server = createServer((request, response) => void respond(request, response));
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  return {
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function introduction(params: { protocolVersion: string }): object {
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'remote', version: '1.0.0' },
  };
}
