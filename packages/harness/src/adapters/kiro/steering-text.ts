import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** A rule as a steering file: `inclusion` says when it is read. */
export function steeringText(artifact: Artifact, context: PlaceContext): string {
  const keys = KEYS[artifact.fields.rule_mode ?? 'always'](artifact, context);
  return projectDocument(artifact, keys);
}

type Keys = (artifact: Artifact, context: PlaceContext) => ProjectedKey[];

const KEYS: Readonly<Record<RuleMode, Keys>> = {
  always: () => [['inclusion', 'always']],
  glob: ({ fields }) => {
    const globs = splitGlobs(fields.rule_globs ?? '');
    const [only = ''] = globs;
    return [
      ['inclusion', 'fileMatch'],
      ['fileMatchPattern', globs.length === 1 ? only : globs],
    ];
  },
  auto: ({ fields, description }, { name }) => [
    ['inclusion', 'auto'],
    ['name', name],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['inclusion', 'manual']],
};
