import type { Artifact } from '@catalog/core/artifact/types';
import { proseAlone } from '../../place/document-text.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** A rule for some files names them; any other is the prose alone, which is loaded always. */
export function ruleText(artifact: Artifact): string {
  const { rule_mode, rule_globs = '' } = artifact.fields;
  if (rule_mode !== 'glob') return proseAlone(artifact);
  return projectDocument(artifact, [['paths', splitGlobs(rule_globs)]]);
}
