import type { ExecutableCapability } from '@catalog/core/capabilities/capability';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import type { PolicyDecision } from './content-policy.ts';

/** One capability and whether it needs approval. */
export interface InspectedCapability {
  capability: ExecutableCapability;
  key: string;
  /** The policy asks, and the user has not approved it for this artifact yet. */
  added: boolean;
  decision: PolicyDecision;
}

/** The executable content of one artifact, exactly as it would be written. */
export interface InspectedArtifact {
  id: string;
  version: string;
  layer: string;
  /** The registry, or the overlay folder, under which approvals are kept. */
  registry: string;
  /** Empty if the artifact runs and grants nothing. */
  capabilities: InspectedCapability[];
}

/** The decision that keeps an artifact from being written; undefined if there is none. */
export function denial({ capabilities }: InspectedArtifact): PolicyDecision | undefined {
  return capabilities.find(({ decision }) => decision.verdict === 'deny')?.decision;
}

/** Whether an artifact has a capability that the user must approve first. */
export function needsApproval({ capabilities }: InspectedArtifact): boolean {
  return capabilities.some(({ added }) => added);
}

/** The executable content of an artifact in reports and errors. */
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
