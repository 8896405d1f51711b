import type { Artifact } from '@catalog/core/artifact/types';
import { addedCapabilities, capabilityKey } from '@catalog/core/capabilities/capability-key';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { approvedKeys, type Approvals } from './approvals-file.ts';
import type { ContentPolicy } from './content-policy.ts';
import type { InspectedArtifact } from './inspected-content.ts';

export function inspectContent(
  artifact: Artifact,
  policy: ContentPolicy,
  approvals: Approvals,
): InspectedArtifact {
  const { id, version, layer } = artifact;
  const registry = policy.origin(artifact);
  const capabilities = executableCapabilities(artifact);
  const added = new Set(
    addedCapabilities(approvedKeys(approvals, { registry, id }), capabilities).map(capabilityKey),
  );
  return {
    id,
    version,
    layer,
    registry,
    capabilities: capabilities.map((capability) => {
      const key = capabilityKey(capability);
      const decision = policy.decide(artifact, capability.kind);
      return { capability, key, added: decision.verdict === 'ask' && added.has(key), decision };
    }),
  };
}
