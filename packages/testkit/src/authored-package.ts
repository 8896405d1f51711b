import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact, AuthoredPackage } from '@catalog/core/artifact/types';

export type PackageTexts = Readonly<Record<string, string>>;

/** Creates a package. Files that end with `.sh` are executable. */
export function authoredPackage(
  id: string,
  files: PackageTexts,
  layer: string = 'base',
): AuthoredPackage {
  const encoder = new TextEncoder();
  const { 'ARTIFACT.md': manifest, 'SKILL.md': skill, ...resources } = files;
  return {
    id,
    layer,
    manifest: manifest === undefined ? undefined : encoder.encode(manifest),
    skill: skill === undefined ? undefined : encoder.encode(skill),
    resources: Object.entries(resources)
      .map(([path, text]) => ({
        path,
        bytes: encoder.encode(text),
        executable: path.endsWith('.sh'),
      }))
      .sort((a, b) => compareBytes(a.path, b.path)),
  };
}

export function artifactOf(id: string, files: PackageTexts, layer: string = 'base'): Artifact {
  const reading = readArtifact(authoredPackage(id, files, layer));
  if (reading.kind === 'ok') return reading.artifact;
  throw new Error(`${id}: ${reading.problems.map(({ message }) => message).join(' ')}`);
}
