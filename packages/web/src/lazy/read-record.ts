import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { ExecutableCapability } from '@catalog/core/capabilities/capability';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { hiddenText } from '@catalog/core/lint/rules/hidden-text';
import { listFiles } from '../pages/artifact/record-files.ts';

export interface Reading {
  artifact: Artifact;
  capabilities: ExecutableCapability[];
  hidden: string[];
  /** True if the hash of the registry equals the computed one; undefined if large files are not inline. */
  isVerified: boolean | undefined;
}

/** Parses an artifact; undefined if its manifest is not inline or cannot be read. */
export function readRecord(record: ArtifactRecord): Reading | undefined {
  const { id, layer, manifest_body, manifest_body_url, skill_body, skill_body_url } = record;
  if (manifest_body_url !== undefined || skill_body_url !== undefined) return undefined;
  const resources = listFiles(record).flatMap(({ path, bytes, executable, isManifest }) =>
    isManifest ? [] : [{ path, bytes: bytes ?? new Uint8Array(), executable }],
  );
  const reading = readArtifact({
    id,
    layer,
    manifest: toBytes(manifest_body),
    skill: toBytes(skill_body),
    resources: resources.toSorted((a, b) => compareBytes(a.path, b.path)),
  });
  if (reading.kind === 'refused') return undefined;
  const { artifact } = reading;
  const capabilities = executableCapabilities(artifact).map((capability) => {
    const large = 'file' in capability ? record.large_resources[capability.file] : undefined;
    return large === undefined ? capability : { ...capability, hash: large.content_hash };
  });
  const isComplete = Object.keys(record.large_resources).length === 0;
  return {
    artifact,
    capabilities,
    hidden: hiddenText(artifact).map(({ message }) => message),
    isVerified: isComplete ? artifact.content_hash === record.content_hash : undefined,
  };
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined || text === '' ? undefined : new TextEncoder().encode(text);
}
