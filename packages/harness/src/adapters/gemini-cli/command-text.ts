import type { Artifact } from '@catalog/core/artifact/types';
import type { ArgumentForm } from '../../place/command-arguments.ts';
import { markedBody } from '../../place/document-text.ts';
import { tomlDocument } from '../../place/toml-text.ts';

/** Placeholders of the products that are based on Gemini CLI. */
export const GEMINI_ARGUMENTS: ArgumentForm = {
  all: '{{args}}',
  reserved: [{ text: '{{args}}', written: '{{ args }}' }],
  inline_as_text: true,
};

export function commandText(artifact: Artifact): string {
  return tomlDocument({
    description: artifact.description === '' ? null : artifact.description,
    prompt: markedBody(artifact),
  });
}
