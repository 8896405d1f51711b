import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact } from '../artifact/types.ts';
import type { Reading } from './capability-reading.ts';
import { CAPABILITY_KINDS, type ExecutableCapability } from './capability.ts';
import { capabilityKey } from './capability-key.ts';
import { includesFiles } from './inline-commands.ts';
import { readBundledFile, readMentionedFiles } from './read-bundled-file.ts';
import { readManifests } from './read-manifests.ts';

/** One additional entry represents the rest. */
export const MAX_CAPABILITIES = 1_000;

/**
 * Lists everything in an artifact that some harness would run or that grants permissions. Covers
 * the manifests with frontmatter and body, and every bundled file, for all artifact types. Only
 * declarations count (SPEC-74): scripts are not analyzed. If in doubt, a capability is reported.
 * The list is sorted and has no duplicates. Never throws.
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
    // Any change to the artifact could change an unlisted capability.
    sorted.push({ kind: 'truncated', limit: MAX_CAPABILITIES, hash: content_hash });
  }
  return sorted;
}

/** Keeps the order of declaration within a file. */
function compareCapabilities(a: ExecutableCapability, b: ExecutableCapability): number {
  const kinds = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  return kinds === 0 ? compareBytes(fileOf(a), fileOf(b)) : kinds;
}

function fileOf(capability: ExecutableCapability): string {
  return capability.kind === 'truncated' ? '' : capability.file;
}
