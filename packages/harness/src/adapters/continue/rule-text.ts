import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** Renders a rule; `alwaysApply`, `globs` and `invokable` say when it is read. */
export function ruleText(artifact: Artifact, { name }: PlaceContext): string {
  const keys = KEYS[artifact.fields.rule_mode ?? 'always'](artifact);
  return projectDocument(artifact, [['name', name], ...keys]);
}

const KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: () => [['alwaysApply', true]],
  // With `alwaysApply: false` the model could also ask for the rule by its description.
  glob: ({ fields }) => [['globs', splitGlobs(fields.rule_globs ?? '')]],
  auto: ({ fields, description }) => [
    ['description', fields.rule_description ?? description],
    ['alwaysApply', false],
  ],
  // A prompt, which the user calls with a slash.
  explicit: ({ description }) => [
    ['description', description],
    ['invokable', true],
  ],
};
