import { getLastViewer, type Caller } from '../../lock/delivered-to.ts';
import type { CatalogListing } from '../../source/catalog-source.ts';
import type { SyncRun } from '../sync-options.ts';
import { findRemoval } from './find-removal.ts';
import type { PlanFacts } from './rule.ts';

interface Source {
  listing: CatalogListing;
  caller: Caller | undefined;
}

/** Collects the input of the safety rules, which read no files. */
export function gatherFacts(
  { plan, planned, unexpected }: Pick<PlanFacts, 'plan' | 'planned' | 'unexpected'>,
  { config, source: { registry }, options }: Pick<SyncRun, 'config' | 'source' | 'options'>,
  { listing, caller }: Source,
): PlanFacts {
  return {
    plan,
    planned,
    registry,
    unexpected,
    removal: findRemoval(plan, planned, listing, config),
    caller:
      caller === undefined
        ? undefined
        : { viewer: caller.viewer, last_viewer: getLastViewer(plan.state, caller.registry) },
    config,
    options,
  };
}
