import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { writeBundled } from '../../place/write-files.ts';
import { writeManifest } from './document.ts';

/** The folder for files of what the harness has no folder of its own for. */
export function extensionFolder(id: string): string {
  return `.harness-a/catalog/${id}`;
}

/** A type the harness does not know: the manifest lies with its files, for whoever asks for it. */
export function placeExtension(artifact: Artifact, context: PlaceContext): FileOperation[] {
  const folder = extensionFolder(artifact.id);
  return [
    ...writeManifest(`${folder}/ARTIFACT.md`, artifact, context),
    ...writeBundled(folder, artifact),
  ];
}
