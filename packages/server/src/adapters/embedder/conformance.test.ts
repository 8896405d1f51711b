import { describe } from 'vitest';
import { embedderConformance } from '@catalog/core/conformance/embedder/embedder.conformance';
import { providerConformance } from '@catalog/core/conformance/embedder/provider.conformance';
import { cohereApi } from '@catalog/testkit/embedding-servers/cohere-api';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import { openProvider } from '@catalog/testkit/embedding-servers/open-provider';
import { openaiApi } from '@catalog/testkit/embedding-servers/openai-api';
import { voyageApi } from '@catalog/testkit/embedding-servers/voyage-api';
import { createBuiltinEmbedder } from './builtin-embedder.ts';

describe('embedder with the built-in model', () => {
  embedderConformance(async () => createBuiltinEmbedder('builtin/test/256/t1'));
});

describe.each([openaiApi, voyageApi, cohereApi, ollamaApi])('embedder with $provider', (api) => {
  embedderConformance(async () => (await openProvider(api)).embedder);
  providerConformance((query_timeout_ms) => openProvider(api, query_timeout_ms));
});
