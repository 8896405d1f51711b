import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Capability, HarnessAdapter } from './adapter.ts';

export interface CapabilityCheck {
  unsupported: Capability[];
  fallback: Capability[];
}

export function checkCapabilities(adapter: HarnessAdapter, artifact: Artifact): CapabilityCheck {
  const check: CapabilityCheck = { unsupported: [], fallback: [] };
  for (const capability of capabilitiesUsed(artifact)) {
    const support = adapter.capabilities[capability];
    if (support !== 'native') check[support].push(capability);
  }
  return check;
}
