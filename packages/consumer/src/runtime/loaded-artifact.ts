import type { Artifact } from '@catalog/core/artifact/types';
import type { IndexedArtifact } from '../cache/response-index.ts';
import type { LoadedArtifact } from './runtime-registry.ts';

export function toLoaded(seen: IndexedArtifact, artifact: Artifact): LoadedArtifact {
  const { layer, deprecated, replaced_by, deprecation_warning } = seen;
  return {
    artifact,
    layer,
    deprecated,
    ...(replaced_by === undefined ? {} : { replaced_by }),
    ...(deprecation_warning === undefined ? {} : { deprecation_warning }),
  };
}
