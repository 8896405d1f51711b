import type { Artifact } from '@catalog/core/artifact/types';
import type { ArgumentForm } from '../../place/command-arguments.ts';
import { markedBody } from '../../place/document-text.ts';
import { tomlDocument } from '../../place/toml-text.ts';

/** Arguments of commands in Gemini CLI and the products that follow it. */
export const GEMINI_ARGUMENTS: ArgumentForm = {
  all: '{{args}}',
  reserved: [{ text: '{{args}}', written: '{{ args }}' }],
  inline_as_text: true,
};

/** A command as TOML. */
export function commandText(artifact: Artifact): string {
  return tomlDocument({
    description: artifact.description === '' ? null : artifact.description,
    prompt: markedBody(artifact),
  });
}
