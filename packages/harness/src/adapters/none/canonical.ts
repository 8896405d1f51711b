import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation } from '../../adapter.ts';
import { writeBundled, writeText } from '../../place/write-files.ts';

/** The artifact as it is served, under its id: its manifests and every bundled file. */
export function placeCanonical(artifact: Artifact): FileOperation[] {
  const { id, manifest, skill } = artifact;
  const operations: FileOperation[] = [];
  if (manifest !== undefined) operations.push(writeText(`${id}/ARTIFACT.md`, manifest.text));
  if (skill !== undefined) operations.push(writeText(`${id}/SKILL.md`, skill.text));
  operations.push(...writeBundled(id, artifact));
  return operations;
}
