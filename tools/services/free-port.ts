import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Below the range for ports of outgoing connections. A client that retries while its server is down
 * could otherwise use the server's port, or even connect to itself.
 */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 50;
const RETRY_MS = 20;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

/** Retries because another process may briefly test whether the port is free. */
export async function listenOn(server: Server, port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS);
    }
  }
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
