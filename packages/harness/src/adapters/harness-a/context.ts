import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { contextFolder, writeBundled } from '../../place/write-files.ts';
import { writeManifest } from './document.ts';

/** The manifest and its files, where every harness finds them. */
export function placeContext(artifact: Artifact, context: PlaceContext): FileOperation[] {
  const folder = contextFolder(artifact.id);
  return [
    ...writeManifest(`${folder}/ARTIFACT.md`, artifact, context),
    ...writeBundled(folder, artifact),
  ];
}
