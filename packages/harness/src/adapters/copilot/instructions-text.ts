import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import { proseAlone } from '../../place/document-text.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/**
 * A rule as a file of instructions: `applyTo` says for which files it is read; without it the model
 * goes by the description, and without that somebody must name it.
 */
export function instructionsText(artifact: Artifact): string {
  const keys = KEYS[artifact.fields.rule_mode ?? 'always'](artifact);
  return keys.length === 0 ? proseAlone(artifact) : projectDocument(artifact, keys);
}

const KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: (artifact) => [...described(artifact), ['applyTo', '**']],
  glob: (artifact) => [
    ...described(artifact),
    ['applyTo', splitGlobs(artifact.fields.rule_globs ?? '').join(',')],
  ],
  auto: ({ fields, description }) => [['description', fields.rule_description ?? description]],
  explicit: () => [],
};

function described({ description }: Artifact): ProjectedKey[] {
  return description === '' ? [] : [['description', description]];
}
