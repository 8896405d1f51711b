import type { Artifact } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';
import { getLintRule, isLintCode, lintRules } from '../rules.ts';

/** Reports unknown codes in `lint_suppress`. Codes of a type provider are accepted. */
export function suppressions(artifact: Artifact, context: LintContext): readonly Finding[] {
  const { manifest, fields } = artifact;
  if (fields.lint_suppress === undefined || manifest === undefined) return NOTHING;
  const hasProvider = context.type_providers?.has(artifact.type) === true;
  return fields.lint_suppress.flatMap((code, index) => {
    const verdict = hasProvider && !isLintCode(code) ? undefined : judge(code);
    if (verdict === undefined) return [];
    return [{ ...verdict, place: atField(manifest, 'lint_suppress', index) }];
  });
}

function judge(code: string): Omit<Finding, 'place'> | undefined {
  const rule = getLintRule(code);
  if (rule?.suppressible === true) return undefined;
  if (rule !== undefined) {
    return {
      code: 'lint.unknown_suppression',
      message: `\`${code}\` cannot be suppressed.`,
      fix: 'Remove the entry, and fix what the rule reports.',
    };
  }
  const near = nearest(code, Object.keys(lintRules));
  return {
    code: 'lint.unknown_suppression',
    message: `Unknown rule \`${code}\`.`,
    ...(near === undefined ? {} : { fix: `Did you mean \`${near}\`?` }),
  };
}
