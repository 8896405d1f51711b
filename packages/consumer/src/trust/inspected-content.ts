import type { ExecutableCapability } from '@catalog/core/capabilities/capability';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import type { PolicyDecision } from './content-policy.ts';

export interface InspectedCapability {
  capability: ExecutableCapability;
  key: string;
  /** True if the policy is `ask` and the capability is not approved. */
  added: boolean;
  decision: PolicyDecision;
}

/** Executable content of an artifact, exactly as it would be written. */
export interface InspectedArtifact {
  id: string;
  version: string;
  layer: string;
  registry: string;
  capabilities: InspectedCapability[];
}

export function denial({ capabilities }: InspectedArtifact): PolicyDecision | undefined {
  return capabilities.find(({ decision }) => decision.verdict === 'deny')?.decision;
}

export function needsApproval({ capabilities }: InspectedArtifact): boolean {
  return capabilities.some(({ added }) => added);
}

export interface ReportedContent {
  id: string;
  version: string;
  layer: string;
  registry: string;
  capabilities: { kind: string; key: string; added: boolean; text: string }[];
}

export function toReported({ capabilities, ...artifact }: InspectedArtifact): ReportedContent {
  return {
    ...artifact,
    capabilities: capabilities.map(({ capability, key, added }) => ({
      kind: capability.kind,
      key,
      added,
      text: formatCapability(capability),
    })),
  };
}
