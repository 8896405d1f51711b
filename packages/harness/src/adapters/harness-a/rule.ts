import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { markUntrusted } from '../../place/provenance.ts';
import { writeText } from '../../place/write-files.ts';

/** One file of prose; bundled files are dropped. */
export function placeRule(artifact: Artifact, { name }: PlaceContext): FileOperation[] {
  return [writeText(`.harness-a/rules/${name}.md`, ruleText(artifact))];
}

/** `paths` where the rule is for certain files; without it the harness loads the rule always. */
function ruleText({ body, fields }: Artifact): string {
  const prose = markUntrusted(body, fields.source);
  const globs = fields.rule_mode === 'glob' ? splitGlobs(fields.rule_globs ?? '') : [];
  if (globs.length > 0) {
    const paths = globs.map((glob) => `  - ${JSON.stringify(glob)}\n`);
    return `---\npaths:\n${paths.join('')}---\n${prose}`;
  }
  // Prose that begins with a fence would be read as frontmatter.
  return prose.startsWith('---') ? `\n${prose}` : prose;
}
