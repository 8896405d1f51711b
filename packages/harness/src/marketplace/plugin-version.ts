import { bytesHash } from '@catalog/core/artifact/content-hash';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Artifact } from '@catalog/core/artifact/types';
import { parseVersion } from '@catalog/core/version/version';

/** Hex digits of the content in a version. */
const DIGITS = 8;

/**
 * The version of a plugin (SPEC-67): the sum of its artifacts' versions, part by part, and of their
 * content the first digits. The same artifacts always give the same version, a raised one raises it,
 * and no change goes without another.
 */
export function pluginVersion(
  artifacts: readonly Pick<Artifact, 'id' | 'version' | 'content_hash'>[],
  /** What else the rendering depends on. */
  about: readonly string[],
): string {
  const sum = { major: 0, minor: 0, patch: 0 };
  for (const { version } of artifacts) {
    const parsed = parseVersion(version);
    if (parsed === undefined) continue;
    sum.major += parsed.major;
    sum.minor += parsed.minor;
    sum.patch += parsed.patch;
  }
  const lines = artifacts.map(({ id, content_hash }) => `${id} ${content_hash}`).sort(compareBytes);
  const content = bytesHash(JSON.stringify([...about, ...lines]));
  const digits = content.slice('sha256:'.length, 'sha256:'.length + DIGITS);
  return `${sum.major}.${sum.minor}.${sum.patch}+${digits}`;
}
