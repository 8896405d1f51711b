import { openClient } from '@catalog/sdk/client';
import type { Transport as RegistryTransport } from '@catalog/sdk/transport';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { HANDSHAKE_REVISIONS } from './revisions.ts';
import { createServer } from './serve.ts';
import type { Runtime } from './tools/tool.ts';

/**
 * Prepares the first call while the host processes the first response: loads the tools and runs a search without a
 * network, which builds all schemas.
 */
export async function warmUp(openRuntime: () => Promise<Runtime>): Promise<void> {
  await Promise.allSettled([openRuntime(), runSampleSearch()]);
}

async function runSampleSearch(): Promise<void> {
  const registry = openClient({ registry: 'http://localhost', transport: respondEmpty });
  const runtime: Runtime = {
    registry: { ...registry, loadArtifact: () => Promise.reject(new Error('a rehearsal')) },
    materialize: () => Promise.resolve({ kind: 'content', reason: 'a rehearsal' }),
  };
  const server = createServer({ openRuntime: () => Promise.resolve(runtime), report: () => {} });
  const answered = Promise.withResolvers<void>();
  const wire: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: async (message) => {
      if ('id' in message && message.id === SEARCH.id) answered.resolve();
    },
  };
  await server.connect(wire);
  for (const message of [OPENING, SEARCH]) wire.onmessage?.(message);
  await answered.promise;
  await server.close();
}

const OPENING: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: HANDSHAKE_REVISIONS[0],
    capabilities: {},
    clientInfo: { name: 'rehearsal', version: '0' },
  },
};

const SEARCH = {
  jsonrpc: '2.0' as const,
  id: 2,
  method: 'tools/call',
  params: { name: 'search_artifacts', arguments: { query: 'anything' } },
};

const NOTHING = JSON.stringify({
  query: 'anything',
  total_matched: 1,
  results: [{ id: 'a', type: 'skill', version: '1.0.0', score: 1, description: '', tags: [] }],
});

const respondEmpty: RegistryTransport = () =>
  Promise.resolve({
    status: 200,
    header: () => 'application/json',
    chunks: async function* chunks() {
      yield Buffer.from(NOTHING);
    },
  });
