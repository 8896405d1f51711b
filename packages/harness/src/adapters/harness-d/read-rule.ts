import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given, namesIn } from '../../adopt/agent-keys-back.ts';

/** Converts a rule. Its attributes select when it is loaded, the widest first. */
export function readMdcRule({ values, body }: ProductDocument): Reading {
  const { alwaysApply, globs, description, ...kept } = values;
  const patterns = typeof globs === 'string' ? globs.trim() : (namesIn(globs) ?? []).join(',');
  const mode = modeOf(alwaysApply === true, patterns, description);
  return { values: { ...given('description', description), ...kept, ...mode }, body, changes: [] };
}

function modeOf(
  always: boolean,
  globs: string,
  description: unknown,
): { rule_mode: string; rule_globs?: string; rule_description?: string } {
  if (always) return { rule_mode: 'always' };
  if (globs !== '') return { rule_mode: 'glob', rule_globs: globs };
  return typeof description === 'string' && description !== ''
    ? { rule_mode: 'auto', rule_description: description }
    : { rule_mode: 'explicit' };
}
