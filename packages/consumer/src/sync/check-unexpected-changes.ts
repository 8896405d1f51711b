import { lockedId } from '../lock/locked-id.ts';
import type { LockFile } from '../lock/types.ts';
import type { CatalogListing, CatalogSource, ListVersions } from '../source/catalog-source.ts';
import { findUnexpectedChanges, type UnexpectedChange } from './find-unexpected-changes.ts';
import { judgeChanges } from './judge-changes.ts';
import type { TargetPlan } from './plan-directory.ts';
import type { SyncOptions } from './sync-options.ts';

interface OfferInput {
  lock: LockFile;
  listing: CatalogListing;
  source: CatalogSource;
  options: Pick<SyncOptions, 'accept_changed' | 'allow_downgrade' | 'locked'>;
}

interface JudgedPlans {
  planned: TargetPlan[];
  refused: UnexpectedChange[];
}

/** Finds artifacts that an HTTP registry rewrote or downgraded, and separates those that the user accepts (SPEC-84). */
export async function judgeUnexpectedChanges(
  planned: TargetPlan[],
  { lock, listing, source, options }: OfferInput,
  signal?: AbortSignal,
): Promise<JudgedPlans> {
  // `--locked` compares every byte anyway.
  if (source.listVersions === undefined || options.locked === true) return { planned, refused: [] };
  const acceptance = { ...options, listVersions: queryOnce(source.listVersions) };
  const refused: UnexpectedChange[] = [];
  const checked: TargetPlan[] = [];
  for (const plan of planned) {
    const changes = listUnexpectedChanges(plan, lock, listing);
    const judged = await judgeChanges(changes, acceptance, signal);
    refused.push(...judged.refused);
    const { accepted } = judged;
    checked.push(accepted.length === 0 ? plan : { ...plan, unexpected_changes: accepted });
  }
  return { planned: checked, refused };
}

/** Lists unexpected changes, without artifacts of the overlay. */
export function listUnexpectedChanges(
  { locked, artifacts }: TargetPlan,
  lock: LockFile,
  { overlay_layer }: CatalogListing,
): UnexpectedChange[] {
  return findUnexpectedChanges(
    {
      target: lockedId(locked, lock),
      registry: locked.registry,
      artifacts: artifacts.filter(({ layer }) => layer !== overlay_layer),
    },
    lock,
  );
}

function queryOnce(listVersions: ListVersions): ListVersions {
  const cached_queries = new Map<string, ReturnType<ListVersions>>();
  return (id, signal) => {
    const answer = cached_queries.get(id) ?? listVersions(id, signal);
    cached_queries.set(id, answer);
    return answer;
  };
}
