import { capabilitiesUsed } from '../../artifact/capabilities-used.ts';
import type { Artifact, Manifest } from '../../artifact/types.ts';
import type { HarnessCell, LintContext } from '../context.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

/**
 * Reports features that a target harness does not support. Without target harnesses, only the mode of a rule is
 * checked.
 */
export function harnessCapability(artifact: Artifact, context: LintContext): readonly Finding[] {
  const { manifest, fields } = artifact;
  if (manifest === undefined) return NOTHING;
  if (fields.target_harnesses === undefined) return untargetedRule(artifact, manifest, context);
  const used = capabilitiesUsed(artifact);
  return fields.target_harnesses.flatMap((harness, index) => {
    const place = atField(manifest, 'target_harnesses', index);
    const column = context.capabilities.get(harness);
    if (column === undefined) {
      const message = `Unknown harness \`${harness}\`.`;
      return [{ code: 'lint.unknown_harness', message, place }];
    }
    const verdicts = used.flatMap(
      (capability) => judge(harness, capability, column.cells[capability]) ?? [],
    );
    // If a harness rejects the whole artifact, other warnings are redundant.
    const warnings = verdicts.some(isRefusal) ? [] : (column.warnings?.(artifact) ?? []);
    const warned = warnings.map(({ capability, reason }) =>
      byFallback(harness, capability, reason),
    );
    return [...verdicts, ...warned].map((verdict) => ({ ...verdict, place }));
  });
}

/** Warns if some harnesses always load a rule, whatever its mode (RULE-03, RULE-28). */
function untargetedRule(
  { type, fields }: Artifact,
  manifest: Manifest,
  { capabilities }: LintContext,
): readonly Finding[] {
  const mode = fields.rule_mode;
  if (type !== 'rule' || mode === undefined) return NOTHING;
  const names = [...capabilities.values()].flatMap(({ cells, name_untargeted }) =>
    supportOf(cells[`rule_mode:${mode}`]) === 'fallback' ? (name_untargeted ?? []) : [],
  );
  if (names.length === 0) return NOTHING;
  return [
    {
      code: 'lint.harness_capability',
      severity: 'warning',
      message: `\`rule_mode: ${mode}\` has no equivalent in ${names.join(' and ')}, so the rule is always loaded there.`,
      fix: 'Check that this is acceptable, or list the harnesses the rule is for in `target_harnesses`.',
      place: atField(manifest, 'rule_mode'),
    },
  ];
}

type Verdict = Omit<Finding, 'place'>;

function judge(
  harness: string,
  capability: string,
  cell: HarnessCell | undefined,
): Verdict | undefined {
  const support = supportOf(cell);
  const reason = typeof cell === 'object' ? cell.reason : '';
  if (support !== 'unsupported' && support !== 'fallback') return undefined;
  if (support === 'fallback') return byFallback(harness, capability, reason);
  return {
    code: 'lint.harness_capability',
    message: `${harness} does not support ${nameOf(capability)}${because(reason)}.`,
  };
}

function supportOf(cell: HarnessCell | undefined): string | undefined {
  return typeof cell === 'object' ? cell.support : cell;
}

function isRefusal({ severity }: Verdict): boolean {
  return severity !== 'warning';
}

function byFallback(harness: string, capability: string, reason: string): Verdict {
  return {
    code: 'lint.harness_capability',
    severity: 'warning',
    message: `${harness} supports ${nameOf(capability)} only through a fallback${because(reason)}.`,
    fix: `Check that the fallback is acceptable, or remove ${harness} from \`target_harnesses\`.`,
  };
}

function nameOf(capability: string): string {
  const [row = '', value = ''] = capability.split(':');
  return row === 'field' ? `the field \`${value}\`` : `\`${row}: ${value}\``;
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${reason}`;
}
