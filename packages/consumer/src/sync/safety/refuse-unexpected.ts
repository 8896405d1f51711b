import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { howToAccept, refusalError } from '../describe-change.ts';
import type { PlanFacts } from './rule.ts';

/** Rejects changes of versions that the user did not accept (SPEC-84). */
export function refuseUnexpected({
  plan: { directory },
  registry,
  unexpected: refused,
}: PlanFacts): CatalogError | undefined {
  if (refused.length === 0) return undefined;
  return refusalError({ directory, registry, refused, suggested_action: howToAccept(refused) });
}
