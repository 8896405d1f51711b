import { onTestFinished } from 'vitest';
import type { EmbeddingApi } from './embedding-api.ts';
import { openEmbeddingServer, type EmbeddingServer } from './open-embedding-server.ts';

export type { EmbeddingServer };

export async function startEmbeddingServer(
  api: EmbeddingApi,
  dimensions?: number,
): Promise<EmbeddingServer> {
  const server = await openEmbeddingServer(api, dimensions);
  onTestFinished(() => server.stop());
  return server;
}
