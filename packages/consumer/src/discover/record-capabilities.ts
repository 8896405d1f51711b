import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { PackageFile } from '@catalog/core/artifact/types';
import type { ExecutableCapability } from '@catalog/core/capabilities/capability';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';

/**
 * Lists executable content for display; undefined if a manifest is too large to be inline. Of other large files, only
 * path and hash are known.
 */
export function recordCapabilities(record: ArtifactRecord): ExecutableCapability[] | undefined {
  const { id, layer, manifest_body, manifest_body_url, skill_body, skill_body_url } = record;
  if (manifest_body_url !== undefined || skill_body_url !== undefined) return undefined;
  const reading = readArtifact({
    id,
    layer,
    manifest: toManifest(manifest_body),
    skill: toManifest(skill_body),
    resources: filesOf(record).sort((a, b) => compareBytes(a.path, b.path)),
  });
  if (reading.kind === 'refused') return undefined;
  return executableCapabilities(reading.artifact).map((capability) => {
    const large = 'file' in capability ? record.large_resources[capability.file] : undefined;
    return large === undefined ? capability : { ...capability, hash: large.content_hash };
  });
}

function toManifest(text: string | undefined): Uint8Array | undefined {
  return text === undefined || text === '' ? undefined : Buffer.from(text);
}

function filesOf({
  resources,
  resources_base64,
  large_resources,
  executable = [],
}: ArtifactRecord): PackageFile[] {
  const encoding = resources_base64 === true ? 'base64' : 'utf8';
  const inline = Object.entries(resources).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text, encoding),
  }));
  const large = Object.keys(large_resources).map((path) => ({ path, bytes: Buffer.alloc(0) }));
  return [...inline, ...large].map((file) => ({
    ...file,
    executable: executable.includes(file.path),
  }));
}
