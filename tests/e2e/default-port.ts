import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryFileMutex, type FileMutex } from '@catalog/core/node/file-mutex';
import { onTestFinished } from 'vitest';

const DEFAULT_PORT = 8080;
const CACHE = join(import.meta.dirname, '../../.cache');
const POLL_INTERVAL_MS = 100;
const MAX_WAIT_MS = 90_000;

export const DEFAULT_PORT_TIMEOUT_MS = MAX_WAIT_MS + 30_000;

/**
 * Acquires the default port until the end of the test, because tests run in parallel on one
 * machine. Reports if a process that is not a test uses the port.
 */
export async function acquireDefaultPort(): Promise<void> {
  const mutex = await hold();
  onTestFinished(() => mutex.release());
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_INTERVAL_MS) {
    if (await isFree(DEFAULT_PORT)) return;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(`Something on this machine uses port ${DEFAULT_PORT}; this test needs it.`);
}

async function hold(): Promise<FileMutex> {
  mkdirSync(CACHE, { recursive: true });
  const files = { mutex: join(CACHE, 'usual-port.db'), holder: join(CACHE, 'usual-port.holder') };
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_INTERVAL_MS) {
    const taken = await tryFileMutex(files);
    if (!('holder' in taken)) return taken;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(`Other tests kept port ${DEFAULT_PORT} for ${MAX_WAIT_MS / 1000} s.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
