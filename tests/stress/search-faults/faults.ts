import type { ProviderFault } from '@catalog/core/conformance/embedder/provider-fault';

/** What a provider of embeddings does to those who rely on it. */
export const FAULTS: Readonly<Record<string, ProviderFault | { kind: 'down' }>> = {
  down: { kind: 'down' },
  hanging: { kind: 'hanging' },
  slow: { kind: 'slow', ms: 700 },
  busy: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  'busy without end': { kind: 'status', status: 429 },
  broken: { kind: 'status', status: 500 },
  'wrong dimension': { kind: 'wrong_dimension' },
  'not a number': { kind: 'not_a_number' },
  truncated: { kind: 'truncated' },
  cut: { kind: 'cut' },
  huge: { kind: 'huge' },
};
