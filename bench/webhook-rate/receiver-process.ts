/**
 * An HTTPS server that accepts every delivery. Reports its port to the parent process, and later
 * each of the given delivery counts when it is reached.
 * node receiver-process.ts <certificate> <key> <count>...
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [cert = '', key = '', ...words] = process.argv.slice(2);
const counts = new Set(words.map(Number));
let received = 0;

const server = createServer(
  { cert: readFileSync(cert), key: readFileSync(key), keepAliveTimeout: 60_000 },
  (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      received += 1;
      if (counts.has(received)) process.send?.({ received });
    });
  },
);
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  process.send?.({ port });
});
process.on('disconnect', () => process.exit());
