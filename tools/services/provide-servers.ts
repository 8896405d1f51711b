import { once } from 'node:events';
import { connect } from 'node:net';
import { getServiceSetting } from '../../packages/testkit/src/services.ts';
import { serverAddress, serverNames, type ServerName } from './shared-server.ts';

/** Returns a function that stops the servers that it started. */
export async function provideServers({ in_memory = false } = {}): Promise<() => Promise<void>> {
  const found = await Promise.all(serverNames.map(isProvided));
  const missing = serverNames.filter((_, index) => !found[index]);
  if (missing.length === 0) return async () => undefined;
  // A run with running servers does not load the code that starts them.
  const { startShared, stopShared } = await import('./shared-servers.ts');
  const started = await startShared(missing, { in_memory });
  return () => stopShared(started);
}

async function isProvided(name: ServerName): Promise<boolean> {
  const address = getServiceSetting(serverAddress[name]);
  return address !== undefined && (await listens(new URL(address)));
}

/** Loopback responds immediately; other addresses need more time. */
const CONNECT_TIMEOUT_MS = 2000;

async function listens({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
