import type { Artifact } from '@catalog/core/artifact/types';
import { markedBody } from '../../place/document-text.ts';
import { tomlDocument } from '../../place/toml-text.ts';

/** A command as TOML. */
export function commandText(artifact: Artifact): string {
  return tomlDocument({
    description: artifact.description === '' ? null : artifact.description,
    prompt: markedBody(artifact),
  });
}
