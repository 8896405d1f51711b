import type { ProviderProtocol } from './provider-protocol.ts';

/** `POST <address>/api/embed` of Ollama. One machine works on a batch: small ones keep queries quick. */
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
