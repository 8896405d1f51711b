import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readLocalFile } from '@catalog/consumer/local-file';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { fixArtifact } from '@catalog/core/lint/fix';
import { writeNewFile } from '../write-new-file.ts';
import type { Findings } from './find-problems.ts';

export interface FixedPath {
  /** Absolute. */
  path: string;
  /** What was repaired, one sentence each. */
  fixes: string[];
}

/** Repairs the manifests of every artifact that has a finding, in place. */
export function fixFiles({ diagnostics, roots }: Findings): FixedPath[] {
  const packages = new Map(
    diagnostics.map(({ layer, artifact_id: id }) => [`${layer} ${id}`, { layer, id }]),
  );
  return [...packages.values()].flatMap(({ layer, id }) => {
    const root = roots.get(layer) ?? '';
    const reading = readArtifact({
      id,
      layer,
      manifest: getRegularFile(join(root, id, 'ARTIFACT.md')),
      skill: getRegularFile(join(root, id, 'SKILL.md')),
      resources: [],
    });
    if (reading.kind === 'refused') return [];
    return fixArtifact(reading.artifact).map(({ file, text, fixed }) => {
      const path = join(root, file);
      writeNewFile({ path, text }, true);
      return { path, fixes: fixed.map(({ message }) => message) };
    });
  });
}

/** A link is left alone: what it leads to may belong to somebody else. */
function getRegularFile(path: string): Uint8Array | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const file = readLocalFile(path);
  return file.kind === 'file' ? file.bytes : undefined;
}
