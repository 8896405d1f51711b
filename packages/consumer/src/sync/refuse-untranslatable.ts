import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Plan, UnsupportedArtifact } from '@catalog/harness/planned';

const NAMED = 20;

/**
 * Throws one error for all artifacts that a harness does not support, before anything is written (SPEC-38, SPEC-50).
 */
export function refuseUntranslatable(plans: readonly Plan[]): void {
  const unsupported = plans.flatMap((plan) => plan.unsupported);
  const [first] = unsupported;
  if (first === undefined) return;
  const harnesses = [...new Set(unsupported.map(({ harness }) => harness))].join(', ');
  const ids = new Set(unsupported.map(({ artifact_id }) => artifact_id));
  const count = ids.size === 1 ? 'One artifact' : `${ids.size} artifacts`;
  throw new CatalogError(
    'materialize.untranslatable',
    `${count} cannot be delivered to ${harnesses}; nothing was written.\n${linesOf(unsupported)}`,
    {
      details: {
        harness: harnesses,
        unsupported: unsupported.map(({ artifact_id, harness, capabilities, reason }) => ({
          artifact_id,
          harness,
          capabilities,
          reason,
        })),
      },
    },
  );
}

function linesOf(unsupported: readonly UnsupportedArtifact[]): string {
  const lines = unsupported.map(({ artifact_id, reason }) => `  ${artifact_id}: ${reason}`);
  const rest = lines.length - NAMED;
  const named = rest > 0 ? [...lines.slice(0, NAMED), `  and ${rest} more`] : lines;
  return named.join('\n');
}
