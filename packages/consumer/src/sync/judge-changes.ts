import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ledgerVersion } from '@catalog/core/ingest/ledger-key';
import { RegistryError } from '@catalog/sdk/registry-error';
import type { ListVersions } from '../source/catalog-source.ts';
import type { LockedStatus, UnexpectedChange } from './find-unexpected-changes.ts';

export interface Acceptance {
  accept_changed?: readonly string[] | undefined;
  allow_downgrade?: boolean | undefined;
  listVersions: ListVersions | undefined;
}

export interface JudgedChanges {
  accepted: UnexpectedChange[];
  refused: UnexpectedChange[];
}

/** Statuses that explain a lower version. */
const SUPERSEDED: ReadonlySet<LockedStatus> = new Set([
  'deprecated',
  'rolled_back',
  'withdrawn',
  'absent',
]);

/**
 * Separates changes that a run may apply. For a lower version, the registry is queried once, unless the user allows
 * all; if the query fails, the change is rejected.
 */
export async function judgeChanges(
  changes: readonly UnexpectedChange[],
  { accept_changed = [], allow_downgrade = false, listVersions }: Acceptance,
  signal?: AbortSignal,
): Promise<JudgedChanges> {
  const judged: JudgedChanges = { accepted: [], refused: [] };
  for (const change of changes) {
    if (change.kind === 'rewritten') {
      judged[accept_changed.includes(change.id) ? 'accepted' : 'refused'].push(change);
    } else if (allow_downgrade) {
      judged.accepted.push(change);
    } else {
      const locked_status = await readStatus(change, listVersions, signal);
      const outcome = SUPERSEDED.has(locked_status) ? 'accepted' : 'refused';
      judged[outcome].push({ ...change, locked_status });
    }
  }
  return judged;
}

async function readStatus(
  { id, layer, locked }: UnexpectedChange,
  listVersions: ListVersions | undefined,
  signal: AbortSignal | undefined,
): Promise<LockedStatus> {
  if (listVersions === undefined) return 'unknown';
  try {
    const versions = await listVersions(id, signal);
    const entry = versions.find(
      (one) => one.layer === layer && ledgerVersion(one.version) === ledgerVersion(locked),
    );
    // Only a purge removes a version from the list (SPEC-20, SPEC-35).
    if (entry === undefined) return 'absent';
    if (entry.deprecated) return 'deprecated';
    if (entry.rolled_back === true) return 'rolled_back';
    return entry.withdrawn ? 'withdrawn' : 'listed';
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CatalogError || error instanceof RegistryError) return 'unknown';
    throw error;
  }
}
