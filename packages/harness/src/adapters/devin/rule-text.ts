import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** Renders a rule; `trigger` says when it is read. */
export function ruleText(artifact: Artifact): string {
  return projectDocument(artifact, KEYS[artifact.fields.rule_mode ?? 'always'](artifact));
}

const KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: () => [['trigger', 'always_on']],
  // A list: the command line does not load a rule whose patterns are one string.
  glob: ({ fields }) => [
    ['trigger', 'glob'],
    ['globs', splitGlobs(fields.rule_globs ?? '')],
  ],
  auto: ({ fields, description }) => [
    ['trigger', 'model_decision'],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['trigger', 'manual']],
};
