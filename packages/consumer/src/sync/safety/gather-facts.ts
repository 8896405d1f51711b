import { getLastViewer, type Caller } from '../../lock/delivered-to.ts';
import type { CatalogListing } from '../../source/catalog-source.ts';
import type { SyncRun } from '../sync-options.ts';
import { findRemoval } from './find-removal.ts';
import type { PlanFacts } from './rule.ts';

interface Source {
  listing: CatalogListing;
  /** Undefined for a folder registry. */
  caller: Caller | undefined;
}

/** Collects what the rules of one folder compare. The rules themselves read nothing. */
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
