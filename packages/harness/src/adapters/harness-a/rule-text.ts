import type { Artifact } from '@catalog/core/artifact/types';
import { markedBody, proseAsWholeFile } from '../../place/document-text.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** Renders a rule. Without `paths`, the harness always loads it. */
export function ruleText(artifact: Artifact): string {
  const { rule_mode, rule_globs = '' } = artifact.fields;
  const globs = rule_mode === 'glob' ? splitGlobs(rule_globs) : [];
  if (globs.length === 0) return proseAsWholeFile(artifact);
  const paths = globs.map((glob) => `  - ${JSON.stringify(glob)}\n`);
  return `---\npaths:\n${paths.join('')}---\n${markedBody(artifact)}`;
}
