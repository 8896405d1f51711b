import { lockedId } from '../lock/locked-id.ts';
import type { LockFile } from '../lock/types.ts';
import type { CatalogListing, CatalogSource, ListVersions } from '../source/catalog-source.ts';
import { howToAccept, refusalError } from './describe-change.ts';
import { findUnexpectedChanges, type UnexpectedChange } from './find-unexpected-changes.ts';
import { judgeChanges } from './judge-changes.ts';
import type { TargetPlan } from './plan-directory.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import type { SyncOptions } from './sync-options.ts';

interface CheckInput {
  directory: string;
  lock: LockFile;
  listing: CatalogListing;
  source: CatalogSource;
  options: Pick<SyncOptions, 'accept_changed' | 'allow_downgrade' | 'locked'>;
}

/**
 * Refuses a plan in which an HTTP registry rewrote or downgraded a locked artifact, unless the user
 * accepts it (SPEC-84). Returns the plans with the changes that were accepted.
 */
export async function checkUnexpectedChanges(
  planned: TargetPlan[],
  { directory, lock, listing, source, options }: CheckInput,
  signal?: AbortSignal,
): Promise<TargetPlan[]> {
  refuseUnknown(options.accept_changed ?? [], listing, lock);
  // `--locked` compares every byte itself.
  if (source.listVersions === undefined || options.locked === true) return planned;
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
  if (refused.length === 0) return checked;
  const { registry } = source;
  const suggested_action = howToAccept(refused);
  throw refusalError({ directory, registry, refused, suggested_action });
}

/** Lists what the registry rewrote or downgraded for one target; the overlay is not the registry's. */
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

/** Sends one request per artifact, even if several targets of the folder hold it. */
function queryOnce(listVersions: ListVersions): ListVersions {
  const answers = new Map<string, ReturnType<ListVersions>>();
  return (id, signal) => {
    const answer = answers.get(id) ?? listVersions(id, signal);
    answers.set(id, answer);
    return answer;
  };
}
