import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { markedBody } from '../../place/document-text.ts';
import { tomlDocument } from '../../place/toml-text.ts';

export function agentText(artifact: Artifact, { prefix }: PlaceContext): string {
  return tomlDocument({
    name: prefix + artifact.name,
    description: artifact.description,
    developer_instructions: markedBody(artifact),
  });
}
