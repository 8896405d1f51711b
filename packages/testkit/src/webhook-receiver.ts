import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';

export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Host name; undefined for an IP address. */
  servername: string | undefined;
}

export interface WebhookReceiver {
  port: number;
  url: string;
  ca_file: string;
  received: ReceivedWebhook[];
  connections: number;
  /** Responds to a request; with 200 and an empty body by default. */
  respond: (response: ServerResponse, request: ReceivedWebhook) => void;
  close(): Promise<void>;
}

/** Starts a receiver until the end of the test. Its certificate is for `names` and the loopback names. */
export async function startWebhookReceiver(
  names: readonly string[] = [],
  given?: CertificateAuthority,
): Promise<WebhookReceiver> {
  const authority = given ?? (await createCertificateAuthority());
  const certificate = await authority.issue(['localhost', '127.0.0.1', '::1', ...names]);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-receiver-'));
  const server = createServer(certificate, (request, response) => {
    const receive = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is an https server
      const { servername: name } = request.socket as TLSSocket;
      const servername = typeof name === 'string' && name !== '' ? name : undefined;
      const webhook = { method, path, headers, body: await buffer(request), servername };
      receiver.received.push(webhook);
      receiver.respond(response, webhook);
    };
    receive().catch(() => response.destroy());
  });
  server.on('connection', () => (receiver.connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    port,
    url: `https://localhost:${port}/hook`,
    ca_file: authority.writeCert(folder),
    received: [],
    connections: 0,
    respond: (response) => response.end(),
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  onTestFinished(() => receiver.close());
  return receiver;
}
