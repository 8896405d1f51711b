import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { namesIn } from '../../adopt/agent-keys-back.ts';
import { splitGlobs } from '../../place/split-globs.ts';

/** Converts a rule. Without `paths`, it always applies. */
export function readRule({ values, body }: ProductDocument): Reading {
  const { paths, ...kept } = values;
  const globs = typeof paths === 'string' ? splitGlobs(paths) : namesIn(paths);
  const mode =
    globs === undefined || globs.length === 0
      ? { rule_mode: 'always' }
      : { rule_mode: 'glob', rule_globs: globs.join(',') };
  return { values: { ...kept, ...mode }, body, changes: [] };
}
