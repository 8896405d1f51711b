import type { Artifact, RuleMode } from '../../artifact/types.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

const COMPANIONS = [
  ['rule_globs', 'glob'],
  ['rule_description', 'auto'],
] as const;

export function ruleFields(artifact: Artifact): readonly Finding[] {
  const { fields, manifest, type } = artifact;
  if (manifest === undefined || isUndecided(artifact)) return NOTHING;
  const found: Finding[] = [];
  if (fields.rule_mode !== undefined && type !== 'rule') {
    found.push({
      code: 'lint.rule_mode_on_non_rule',
      message: `\`rule_mode\` has no effect on the type \`${type}\`.`,
      place: atField(manifest, 'rule_mode'),
    });
  }
  if (fields.rule_fallback !== undefined && (type !== 'rule' || modeOf(artifact) === 'always')) {
    found.push({
      code: 'lint.ignored_companion_field',
      message:
        '`rule_fallback` has an effect only on rules of the modes `glob`, `auto` and `explicit`.',
      place: atField(manifest, 'rule_fallback'),
    });
  }
  for (const [key, mode] of COMPANIONS) {
    if (fields[key] === undefined) continue;
    if (type === 'rule' && modeOf(artifact) === mode) continue;
    found.push({
      code: 'lint.ignored_companion_field',
      message: `\`${key}\` has an effect only in mode \`${mode}\`.`,
      place: atField(manifest, key),
    });
  }
  return found;
}

function modeOf({ fields }: Artifact): RuleMode {
  return fields.rule_mode ?? 'always';
}

function isUndecided({ fields, manifest, type }: Artifact): boolean {
  if (type !== 'rule' || fields.rule_mode !== undefined) return false;
  return fields.extends !== undefined || manifest?.values['rule_mode'] !== undefined;
}
