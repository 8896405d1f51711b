import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '../../config/types.ts';
import type { LockFile } from '../../lock/types.ts';
import type { CatalogListing } from '../../source/catalog-source.ts';
import type { UnexpectedChange } from '../find-unexpected-changes.ts';
import type { DirectoryPlan, TargetPlan } from '../plan-directory.ts';
import type { SyncOptions } from '../sync-options.ts';
import type { Removal } from './find-removal.ts';

/** Safety rule: a function without side effects that returns an error, a prompt, or undefined. */
export type Rule<Facts> = (facts: Facts) => CatalogError | ConsentPrompt | undefined;

export interface ConsentPrompt {
  ask: () => Promise<boolean>;
  refusal: CatalogError;
}

export interface RequestFacts {
  options: Pick<SyncOptions, 'approve' | 'toggle' | 'update' | 'accept_changed' | 'release'>;
  listing: CatalogListing;
  lock: Pick<LockFile, 'artifacts'>;
}

export interface PlanFacts {
  plan: DirectoryPlan;
  planned: readonly TargetPlan[];
  registry: string;
  unexpected: readonly UnexpectedChange[];
  removal: Removal;
  /** Caller; undefined for a folder. */
  caller: CallerFacts | undefined;
  config: Pick<Config, 'scope' | 'harness' | 'targets'>;
  options: SyncOptions;
}

export interface CallerFacts {
  viewer: string;
  last_viewer: string | undefined;
}

export function checkRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts): ConsentPrompt[] {
  const prompts: ConsentPrompt[] = [];
  for (const rule of rules) {
    const found = rule(facts);
    if (found instanceof CatalogError) throw found;
    if (found !== undefined) prompts.push(found);
  }
  return prompts;
}
