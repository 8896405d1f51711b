import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from './answers-http.ts';
import { freePort } from './free-port.ts';
import { installTool } from './go-programs.ts';
import { startServer, stopServer, waitUntilReady, type ProcessRecord } from './server-process.ts';
import type { ServerLocation, SharedServer } from './shared-server.ts';

export const toxiproxy: SharedServer = {
  needs: [],
  async install() {
    await installTool('toxiproxy');
  },
  start: (place) => startProxy(place, true),
  ready: proxyReady,
  env: (port) => ({ CATALOG_TEST_TOXIPROXY_URL: urlOf(port) }),
  stop: stopProxy,
};

/** Killed with the process that started it. */
export interface ToxiproxyServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startToxiproxy({ folder }: { folder: string }): Promise<ToxiproxyServer> {
  const port = await freePort();
  const server = await startProxy({ folder, port }, false);
  await proxyReady({ folder, port }, server);
  return { url: urlOf(port), pid: server.pid, stop: () => stopProxy(server) };
}

async function startProxy(
  { folder, port }: ServerLocation,
  shared: boolean,
): Promise<ProcessRecord> {
  mkdirSync(folder, { recursive: true });
  return startServer({
    program: await installTool('toxiproxy'),
    words: ['-host', '127.0.0.1', '-port', String(port)],
    cwd: folder,
    log: join(folder, 'log'),
    shared,
  });
}

async function proxyReady({ folder, port }: ServerLocation, process: ProcessRecord): Promise<void> {
  const version = `${urlOf(port)}/version`;
  await waitUntilReady(process, join(folder, 'log'), () => answersHttp(version));
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function stopProxy(process: ProcessRecord): Promise<void> {
  return stopServer(process, 'SIGTERM');
}
