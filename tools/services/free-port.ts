import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range from which the system takes the ports of outgoing connections: a client that
 * retries while its server is down could otherwise take the server's port, even connect to itself.
 */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 50;

/** A loopback port nobody listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
