import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { resourcesFolder, writeBundled } from '../../place/write-files.ts';
import { writeManifest } from './document.ts';

/** The manifest as authored; paths in it are not rewritten (HA-14). */
export function placeCommand(artifact: Artifact, context: PlaceContext): FileOperation[] {
  return [
    ...writeManifest(`.harness-a/commands/${context.name}.md`, artifact, context),
    ...writeBundled(resourcesFolder(artifact.id), artifact),
  ];
}
