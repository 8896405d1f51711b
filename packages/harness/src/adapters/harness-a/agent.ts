import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { writeBundled } from '../../place/write-files.ts';
import { writeManifest } from './document.ts';
import { extensionFolder } from './extension.ts';

/** The manifest as authored; paths in it are not rewritten (HA-14). */
export function placeAgent(artifact: Artifact, context: PlaceContext): FileOperation[] {
  return [
    ...writeManifest(`.harness-a/agents/${context.name}.md`, artifact, context),
    ...writeBundled(extensionFolder(artifact.id), artifact),
  ];
}
