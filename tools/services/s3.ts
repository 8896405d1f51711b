import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from './answers-http.ts';
import { freePort } from './free-port.ts';
import { installTool } from './go-programs.ts';
import { runProgram } from './run-program.ts';
import { startServer, stopServer, waitUntilReady, type ProcessRecord } from './server-process.ts';
import type { ServerLocation, SharedServer } from './shared-server.ts';

const ACCESS_KEY_ID = 'catalog-test';
const SECRET_ACCESS_KEY = 'catalog-test-secret';

/** Verifies signatures as strictly as S3. */
export const s3: SharedServer = {
  needs: [],
  async install() {
    await installTool('versitygw');
  },
  start: (place) => startGateway(place, { shared: true, versions: false }),
  ready: gatewayReady,
  env: (port) => ({
    CATALOG_TEST_S3_ENDPOINT: endpointOf(port),
    CATALOG_TEST_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    CATALOG_TEST_S3_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
  }),
  stop: stopGateway,
};

/** Killed with the process that started it. */
export interface S3Server {
  readonly endpoint: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly pid: number;
  /** The key has access to every bucket. */
  createKey(key: { access_key_id: string; secret_access_key: string }): Promise<void>;
  deleteKey(access_key_id: string): Promise<void>;
  stop(): Promise<void>;
}

/** A restart on the same folder keeps the objects. With `versions`, its buckets can keep versions of objects. */
export async function startS3({
  folder,
  versions = false,
}: {
  folder: string;
  versions?: boolean;
}): Promise<S3Server> {
  const port = await freePort();
  const server = await startGateway({ folder, port }, { shared: false, versions });
  await gatewayReady({ folder, port }, server);
  return {
    endpoint: endpointOf(port),
    access_key_id: ACCESS_KEY_ID,
    secret_access_key: SECRET_ACCESS_KEY,
    pid: server.pid,
    createKey: ({ access_key_id, secret_access_key }) =>
      administer(port, [
        'create-user',
        `--access=${access_key_id}`,
        `--secret=${secret_access_key}`,
        '--role=admin',
      ]),
    deleteKey: (access_key_id) => administer(port, ['delete-user', `--access=${access_key_id}`]),
    stop: () => stopGateway(server),
  };
}

async function administer(port: number, words: readonly string[]): Promise<void> {
  const endpoint = `--endpoint-url=${endpointOf(port)}`;
  const root = [`--access=${ACCESS_KEY_ID}`, `--secret=${SECRET_ACCESS_KEY}`, endpoint];
  await runProgram(await installTool('versitygw'), ['admin', ...root, ...words]);
}

async function startGateway(
  { folder, port }: ServerLocation,
  { shared, versions }: { shared: boolean; versions: boolean },
): Promise<ProcessRecord> {
  const objects = join(folder, 'objects');
  const keys = join(folder, 'keys');
  const former = join(folder, 'versions');
  for (const path of [objects, keys, former]) mkdirSync(path, { recursive: true });
  return startServer({
    program: await installTool('versitygw'),
    // With only a port number, it would listen on every interface.
    words: [
      '--quiet',
      '--keep-alive',
      `--port=127.0.0.1:${port}`,
      '--health=/health',
      `--iam-dir=${keys}`,
      '--iam-cache-disable',
      'posix',
      ...(versions ? [`--versioning-dir=${former}`] : []),
      objects,
    ],
    cwd: folder,
    log: join(folder, 'log'),
    shared,
    env: { ROOT_ACCESS_KEY: ACCESS_KEY_ID, ROOT_SECRET_KEY: SECRET_ACCESS_KEY },
  });
}

async function gatewayReady(
  { folder, port }: ServerLocation,
  process: ProcessRecord,
): Promise<void> {
  const health = `${endpointOf(port)}/health`;
  await waitUntilReady(process, join(folder, 'log'), () => answersHttp(health));
}

function endpointOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function stopGateway(process: ProcessRecord): Promise<void> {
  return stopServer(process, 'SIGTERM');
}
