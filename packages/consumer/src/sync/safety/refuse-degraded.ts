import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { PlanFacts } from './rule.ts';

const MAX_NAMED = 20;

/** Rejects a plan if a harness loads an artifact differently than written (`--strict`). */
export function refuseDegraded({ planned, options }: PlanFacts): CatalogError | undefined {
  if (options.strict !== true) return undefined;
  const degraded = planned.flatMap(({ locked: { harness }, plan }) =>
    plan.fallbacks
      .filter(({ minor }) => minor !== true)
      .map(({ artifact_id, capability, reason }) => ({
        artifact_id,
        harness,
        capability,
        reason,
      })),
  );
  if (degraded.length === 0) return undefined;
  const lines = degraded
    .slice(0, MAX_NAMED)
    .map(({ artifact_id, harness, reason }) => `  ${artifact_id} (${harness}): ${reason}`);
  const rest = degraded.length - lines.length;
  const count = degraded.length === 1 ? 'One delivery is' : `${degraded.length} deliveries are`;
  return new CatalogError(
    'materialize.degraded',
    [
      `${count} degraded, which --strict does not allow; nothing was written.`,
      ...lines,
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ].join('\n'),
    { details: { degraded } },
  );
}
