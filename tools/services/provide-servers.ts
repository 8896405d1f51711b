import { once } from 'node:events';
import { connect } from 'node:net';
import { getServiceSetting } from '../../packages/testkit/src/services.ts';
import { serverAddress, serverNames, type ServerName } from './shared-server.ts';

/** Makes sure that tests find every server; the answer stops those it had to start. */
export async function provideServers(): Promise<() => Promise<void>> {
  const found = await Promise.all(serverNames.map(isProvided));
  const missing = serverNames.filter((_, index) => !found[index]);
  if (missing.length === 0) return async () => undefined;
  // Loaded late: a run that finds its servers shall not wait for what starts them.
  const { startShared, stopShared } = await import('./shared-servers.ts');
  const started = await startShared(missing);
  return () => stopShared(started);
}

/** Whether somebody listens where the tests will look, whoever started it. */
async function isProvided(name: ServerName): Promise<boolean> {
  const address = getServiceSetting(serverAddress[name]);
  return address !== undefined && (await listens(new URL(address)));
}

/** Loopback answers at once; an address elsewhere gets a moment. */
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
