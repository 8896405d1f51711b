import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

export interface LoopbackRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface LoopbackAnswer {
  status: number;
  body: unknown;
}

export interface LoopbackServer {
  url: string;
  close(): Promise<void>;
}

export async function startLoopbackServer(
  answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
  port = 0,
): Promise<LoopbackServer> {
  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { pathname: path } = new URL(incoming.url ?? '/', 'http://loopback');
    const { method = '', headers } = incoming;
    const body = Buffer.concat(chunks).toString();
    const { status, body: answered } = await answer({ method, path, headers, body });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered));
  }

  const server = createServer((incoming, response) => {
    take(incoming, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  await new Promise<void>((listening) => {
    server.listen(port, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
