import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespaceCommand } from '../../harness-programs/namespace.ts';
import { findTool } from '../go-programs.ts';
import { startServer, stopServer, waitUntilReady } from '../server-process.ts';
import type { LoopbackServer } from './loopback-server.ts';

/** Returns undefined if Weaviate can start on this machine. */
export function weaviateUnavailableReason(): string | undefined {
  if (process.platform !== 'linux') return 'Weaviate is started on Linux only';
  if (findTool('weaviate') !== undefined) return undefined;
  return 'Weaviate is not built here, which takes minutes: ./dev services install weaviate';
}

export const WEAVIATE_VECTORIZER = 'text2vec-ollama';

const INFERENCE_ENDPOINT = 'http://127.0.0.1:11434';

/**
 * Some ports of Weaviate listen on every interface, so it runs in its own network namespace and is
 * reached through a socket. The namespace also contains a stand-in for the embedding server of
 * `text2vec-ollama`.
 */
export async function startWeaviate(api_key: string): Promise<LoopbackServer> {
  const program = findTool('weaviate');
  if (program === undefined) throw new Error(weaviateUnavailableReason());
  const folder = mkdtempSync(join(tmpdir(), 'catalog-weaviate-'));
  const socket = join(folder, 'socket');
  const log = join(folder, 'log');
  mkdirSync(join(folder, 'data'));
  const [unshare = '', ...sealing] = namespaceCommand();
  const running = await startServer({
    program: unshare,
    words: [
      ...sealing,
      process.execPath,
      '--conditions=@catalog/source',
      join(import.meta.dirname, 'weaviate-sealed.ts'),
      program,
      socket,
    ],
    cwd: folder,
    log,
    shared: false,
    env: environmentOf(folder, api_key),
  });
  const door = await forwardPort(socket);
  async function close(): Promise<void> {
    await door.close();
    await stopServer(running, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await waitUntilReady(running, log, () => answers(door.url));
  } catch (error) {
    const printed = readFileSync(log, 'utf8').slice(-2000);
    await close();
    throw new Error(`Weaviate did not start: ${printed}`, { cause: error });
  }
  return { url: door.url, close };
}

function environmentOf(folder: string, api_key: string): Record<string, string> {
  return {
    PERSISTENCE_DATA_PATH: join(folder, 'data'),
    DEFAULT_VECTORIZER_MODULE: 'none',
    ENABLE_MODULES: WEAVIATE_VECTORIZER,
    AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: 'false',
    AUTHENTICATION_APIKEY_ENABLED: 'true',
    AUTHENTICATION_APIKEY_ALLOWED_KEYS: api_key,
    AUTHENTICATION_APIKEY_USERS: 'tests',
    AUTHORIZATION_ADMINLIST_ENABLED: 'true',
    AUTHORIZATION_ADMINLIST_USERS: 'tests',
    CLUSTER_HOSTNAME: 'node1',
    CLUSTER_ADVERTISE_ADDR: '127.0.0.1',
    RAFT_BOOTSTRAP_EXPECT: '1',
    DISABLE_TELEMETRY: 'true',
    GO_PROFILING_DISABLE: 'true',
    LOG_LEVEL: 'warning',
    GOMAXPROCS: '2',
  };
}

async function forwardPort(socket: string): Promise<LoopbackServer> {
  const server = createServer((outside) => {
    const inside = connect(socket);
    outside.pipe(inside).pipe(outside);
    outside.once('error', () => inside.destroy());
    inside.once('error', () => outside.destroy());
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/v1/.well-known/ready`)).ok;
  } catch {
    return false;
  }
}

export async function createEmbeddingClass(
  url: string,
  api_key: string,
  name: string,
): Promise<void> {
  const skipped = { [WEAVIATE_VECTORIZER]: { skip: true } };
  const answer = await fetch(`${url}/v1/schema`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      class: name,
      vectorizer: WEAVIATE_VECTORIZER,
      moduleConfig: {
        [WEAVIATE_VECTORIZER]: {
          apiEndpoint: INFERENCE_ENDPOINT,
          model: 'all-minilm',
          vectorizeClassName: false,
        },
      },
      properties: [
        { name: 'text', dataType: ['text'] },
        { name: 'path', dataType: ['text'], moduleConfig: skipped },
        { name: 'marks', dataType: ['text[]'], moduleConfig: skipped },
        { name: 'layer', dataType: ['number'] },
      ],
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
