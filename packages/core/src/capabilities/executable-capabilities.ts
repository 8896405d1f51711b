import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact } from '../artifact/types.ts';
import type { Reading } from './capability-reading.ts';
import { CAPABILITY_KINDS, type ExecutableCapability } from './capability.ts';
import { capabilityKey } from './capability-key.ts';
import { includesFiles } from './inline-commands.ts';
import { readBundledFile, readMentionedFiles } from './read-bundled-file.ts';
import { readManifests } from './read-manifests.ts';

/** Maximum number of listed capabilities. One more entry represents the rest. */
export const MAX_CAPABILITIES = 1_000;

/**
 * Lists everything in an artifact that some harness would run, or that extends permissions: in manifests and in all
 * bundled files. Scripts count as a whole and are not analyzed (SPEC-74). In doubt, a capability is listed. The list is
 * sorted and has no duplicates. Never throws.
 */
export function executableCapabilities(artifact: Artifact): ExecutableCapability[] {
  const { manifest, skill, resources } = artifact;
  const included = [manifest, skill].some((one) => one !== undefined && includesFiles(one.text));
  const readings: Reading[] = [
    readManifests(artifact),
    ...resources.map((file) => readBundledFile(file, included)),
  ];
  const found = readings.flatMap(({ capabilities }) => capabilities);
  const mentions = readings.flatMap((reading) => reading.mentions);
  return listed([...found, ...readMentionedFiles(resources, mentions)], artifact);
}

const KINDS = Object.keys(CAPABILITY_KINDS);

function listed(
  found: readonly ExecutableCapability[],
  { content_hash }: Artifact,
): ExecutableCapability[] {
  const byKey = new Map<string, ExecutableCapability>();
  for (const capability of found) {
    if (byKey.size > MAX_CAPABILITIES) break;
    byKey.set(capabilityKey(capability), capability);
  }
  const sorted = [...byKey.values()].slice(0, MAX_CAPABILITIES).sort(compareCapabilities);
  if (byKey.size > MAX_CAPABILITIES) {
    // Any change of the artifact could change a capability that is not listed, so the key covers the whole artifact.
    sorted.push({ kind: 'truncated', limit: MAX_CAPABILITIES, hash: content_hash });
  }
  return sorted;
}

/** Compares capabilities. Within a file, the order of declaration stays. */
function compareCapabilities(a: ExecutableCapability, b: ExecutableCapability): number {
  const kinds = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  return kinds === 0 ? compareBytes(fileOf(a), fileOf(b)) : kinds;
}

function fileOf(capability: ExecutableCapability): string {
  return capability.kind === 'truncated' ? '' : capability.file;
}
