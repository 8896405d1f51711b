import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface OtlpRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface OtlpListener {
  url: string;
  close(): void;
}

/** Listens for OTLP over HTTP. `respond` returns the status, or `hang` for no response. */
export async function listenForOtlp(
  respond: (request: OtlpRequest) => number | 'hang',
): Promise<OtlpListener> {
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { url: path = '', headers } = incoming;
    const status = respond({ path, headers, body: await buffer(incoming) });
    if (status !== 'hang') outgoing.writeHead(status).end();
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on a port
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
