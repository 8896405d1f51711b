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
    const table = context.capabilities.get(harness);
    if (table === undefined) {
      const message = `No adapter is called \`${harness}\`.`;
      return [{ code: 'lint.unknown_harness', message, place }];
    }
    return used.flatMap((capability) => {
      const verdict = judge(harness, capability, table[capability]);
      return verdict === undefined ? [] : [{ ...verdict, place }];
    });
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
  const [row = '', value = ''] = capability.split(':');
  const what = row === 'field' ? `the field \`${value}\`` : `\`${row}: ${value}\``;
  const because = reason === '' ? '' : `: ${reason}`;
  if (support === 'unsupported') {
    return {
      code: 'lint.harness_capability',
      message: `${harness} cannot take ${what}${because}.`,
    };
  }
  return {
    code: 'lint.harness_capability',
    severity: 'warning',
    message: `${harness} takes ${what} by a fallback only${because}.`,
    fix: `See that the fallback will do, or remove ${harness} from \`target_harnesses\`.`,
  };
}
