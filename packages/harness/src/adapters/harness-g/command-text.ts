import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { separatePlaceholder } from '../../place/command-arguments.ts';
import { markedBody } from '../../place/document-text.ts';
import { tomlDocument } from '../../place/toml-text.ts';

const ALL_ARGUMENTS = /\$ARGUMENTS\b/g;
/** Placeholders `$1` to `$9`, but not amounts of money. */
const ONE_ARGUMENT = /\$[1-9](?!\d|[.,]\d)/;

/** Renders a command. `{{args}}`, for all arguments, is the only placeholder. */
export function commandText(artifact: Artifact): string | Untranslatable {
  const prompt = markedBody(artifact);
  const [positional] = ONE_ARGUMENT.exec(prompt) ?? [];
  if (positional !== undefined) {
    return {
      untranslatable: `harness-g has no positional arguments such as ${positional}; use $ARGUMENTS, or leave harness-g out with target_harnesses`,
    };
  }
  return tomlDocument({
    description: artifact.description,
    prompt: prompt.replaceAll(ALL_ARGUMENTS, (_, at: number) =>
      separatePlaceholder('{{args}}', prompt[at - 1]),
    ),
  });
}
