import type { OpenedProvider } from '@catalog/core/conformance/embedder/provider.conformance';
import { resolveHost } from '@catalog/server/adapters/egress/check-address';
import { createSendRequest } from '@catalog/server/adapters/egress/send-request';
import { openEmbedders, type Embedders } from '@catalog/server/adapters/embedder/open-embedder';
import type { ObservedEmbedding } from '@catalog/server/observe/metrics';
import { loadVariables, type Variables } from '../settings-in-test.ts';
import type { EmbeddingApi } from './embedding-api.ts';
import { startEmbeddingServer } from './embedding-server.ts';
import { embeddingVariables } from './embedding-variables.ts';

export interface TestEmbedders extends Embedders {
  observed: ObservedEmbedding[];
  advanceClock: (ms: number) => void;
}

export function openTestEmbedders(env: Variables): TestEmbedders {
  const { settings } = loadVariables(env);
  const rules = {
    allowed_hosts: settings['egress.allowed_hosts'],
    proxy: { http: undefined, https: undefined, except: [] },
    ca_file: undefined,
  };
  const observed: ObservedEmbedding[] = [];
  let passed = 0;
  const embedders = openEmbedders(settings, {
    send: createSendRequest(rules, resolveHost, { connections: 'kept' }),
    monotonicMs: () => performance.now() + passed,
    observe: (request) => observed.push(request),
  });
  return {
    ...embedders,
    observed,
    advanceClock(ms) {
      passed += ms;
    },
  };
}

const PLENTY_MS = 30_000;

export async function openProvider(
  api: EmbeddingApi,
  query_timeout_ms = PLENTY_MS,
): Promise<OpenedProvider> {
  const server = await startEmbeddingServer(api);
  const { embedder, advanceClock: pass } = openTestEmbedders({
    ...embeddingVariables(api, server),
    CATALOG_EMBEDDING_QUERY_TIMEOUT_MS: String(query_timeout_ms),
  });
  if (embedder === undefined) throw new Error('vectors are switched off');
  return {
    embedder,
    pass,
    requests: () => server.asked.length,
    setFault(fault) {
      server.fault = fault;
    },
    takeDown: () => server.stop(),
    bringBack: () => server.restart(),
    secrets: [server.key, server.url],
  };
}
