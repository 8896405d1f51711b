import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Opens a proxy that adds the secret, which the suite cannot send. All other headers stay. */
export async function openWithSecret(target: string, secret: string) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(target, {
      method,
      headers: { ...headers, authorization: `Bearer ${secret}` },
    });
    onward.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    url: `http://127.0.0.1:${address.port}${new URL(target).pathname}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
