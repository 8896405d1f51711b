import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { expandBraces, tooManyPatterns } from '../../place/expand-braces.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** A rule with the key its editor writes: `trigger` says when it is read. */
export function ruleText(artifact: Artifact): string | Untranslatable {
  const { rule_mode = 'always', rule_globs = '' } = artifact.fields;
  const globs = rule_mode === 'glob' ? expandBraces(splitGlobs(rule_globs)) : [];
  if (globs === undefined) return { untranslatable: tooManyPatterns('Antigravity') };
  return projectDocument(artifact, KEYS[rule_mode](artifact, globs));
}

const KEYS: Readonly<
  Record<RuleMode, (artifact: Artifact, globs: readonly string[]) => ProjectedKey[]>
> = {
  always: () => [['trigger', 'always_on']],
  // It splits the patterns at every comma, also inside braces.
  glob: (_, globs) => [
    ['trigger', 'glob'],
    ['globs', globs.join(',')],
  ],
  auto: ({ fields, description }) => [
    ['trigger', 'model_decision'],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['trigger', 'manual']],
};
