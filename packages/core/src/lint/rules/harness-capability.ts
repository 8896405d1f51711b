import { capabilitiesUsed } from '../../artifact/capabilities-used.ts';
import type { Artifact } from '../../artifact/types.ts';
import type { HarnessCell, LintContext } from '../context.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

/**
 * `lint.harness_capability` and `lint.unknown_harness`. Only an artifact that names its harnesses is
 * held to what they can take.
 */
export function harnessCapability(artifact: Artifact, context: LintContext): readonly Finding[] {
  const { manifest, fields } = artifact;
  if (fields.target_harnesses === undefined || manifest === undefined) return NOTHING;
  const used = capabilitiesUsed(artifact);
  return fields.target_harnesses.flatMap((harness, index) => {
    const place = atField(manifest, 'target_harnesses', index);
    const column = context.capabilities.get(harness);
    if (column === undefined) {
      const message = `No adapter is called \`${harness}\`.`;
      return [{ code: 'lint.unknown_harness', message, place }];
    }
    const verdicts = used.flatMap(
      (capability) => judge(harness, capability, column.cells[capability]) ?? [],
    );
    // What is refused as a whole loses nothing more.
    const warnings = verdicts.some(isRefusal) ? [] : (column.warnings?.(artifact) ?? []);
    const warned = warnings.map(({ capability, reason }) =>
      byFallback(harness, capability, reason),
    );
    return [...verdicts, ...warned].map((verdict) => ({ ...verdict, place }));
  });
}

type Verdict = Omit<Finding, 'place'>;

function judge(
  harness: string,
  capability: string,
  cell: HarnessCell | undefined,
): Verdict | undefined {
  const { support, reason } = typeof cell === 'object' ? cell : { support: cell, reason: '' };
  if (support !== 'unsupported' && support !== 'fallback') return undefined;
  if (support === 'fallback') return byFallback(harness, capability, reason);
  return {
    code: 'lint.harness_capability',
    message: `${harness} cannot take ${nameOf(capability)}${because(reason)}.`,
  };
}

function isRefusal({ severity }: Verdict): boolean {
  return severity !== 'warning';
}

function byFallback(harness: string, capability: string, reason: string): Verdict {
  return {
    code: 'lint.harness_capability',
    severity: 'warning',
    message: `${harness} takes ${nameOf(capability)} by a fallback only${because(reason)}.`,
    fix: `See that the fallback will do, or remove ${harness} from \`target_harnesses\`.`,
  };
}

function nameOf(capability: string): string {
  const [row = '', value = ''] = capability.split(':');
  return row === 'field' ? `the field \`${value}\`` : `\`${row}: ${value}\``;
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${reason}`;
}
