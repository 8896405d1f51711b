import type { ProviderProtocol } from './provider-protocol.ts';

/** Protocol of `POST <base URL>/api/embed`. Ollama usually runs on one machine, so small batches keep queries fast. */
export const OLLAMA_PROTOCOL: ProviderProtocol = {
  path: '/api/embed',
  batch_size: 32,
  toBody: ({ texts, model, dimensions }) => ({
    model,
    input: [...texts],
    truncate: true,
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
  readVectors: ({ embeddings }) => (Array.isArray(embeddings) ? embeddings : undefined),
};
