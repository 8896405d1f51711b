import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { editManagedFile } from '@catalog/harness/managed/edit-managed-file';
import { observeTarget } from '../sync/observe-target.ts';
import { admitEvidence, type AdmittedLock } from './admit-evidence.ts';
import type { OwnsRow } from './owns-path.ts';
import { getLocalRecord, getUnverifiedRecord, type LocalRecord } from './local-record.ts';
import type { LocalState } from './local-state.ts';
import { lockPath, readLock } from './read-lock.ts';
import { emptyLock, type LockedFile, type LockFile } from './types.ts';

/** The lock at the start of a run, with its valid rows. */
export interface KnownLock extends AdmittedLock {
  /** Last lock of this user, if it differs from the current one. */
  record: LockFile | undefined;
  recovered: boolean;
  lock_hash: string | undefined;
}

const NOTHING: Omit<AdmittedLock, 'lock'> = {
  ignored: { files: [], entries: [], shared: [] },
  unowned: [],
};

/**
 * Loads the lock before a run that writes. If it is missing although files of catalog still exist, the run fails: it
 * would treat them as the user's. `recover` rebuilds the lock from the last record.
 */
export function requireLock(state: LocalState, owns: OwnsRow, recover = false): KnownLock {
  const { directory } = state;
  const { lock, hash: lock_hash } = readLock(directory);
  const record = getLocalRecord(state);
  if (lock_hash === undefined) return rebuildLock(state, record, owns, recover);
  if (record.kind === 'same') {
    return { ...NOTHING, lock, record: undefined, recovered: false, lock_hash };
  }
  const recorded = record.kind === 'other' ? record.lock : undefined;
  const admitted = admitEvidence(lock, recorded ?? emptyLock(), directory, owns);
  return { ...admitted, record: recorded, recovered: false, lock_hash };
}

function rebuildLock(
  state: LocalState,
  record: LocalRecord,
  owns: OwnsRow,
  recover: boolean,
): KnownLock {
  const { directory } = state;
  const known = { record: undefined, lock_hash: undefined };
  const none = { ...NOTHING, ...known, lock: emptyLock(), recovered: false };
  const written = record.kind === 'other' ? record.lock : getUnverifiedRecord(state);
  if (written === undefined) return none;
  const files = unchangedFiles(directory, written);
  const trusted = record.kind === 'other' ? written : emptyLock();
  const admitted = admitEvidence({ ...written, files }, trusted, directory, owns);
  const { lock } = admitted;
  if (lock.files.length === 0 && !holdsEntries(directory, lock)) return none;
  if (!recover) throw lockMissing(directory, lock.files.length);
  return { ...admitted, ...known, recovered: true };
}

function unchangedFiles(directory: string, { files }: LockFile): LockedFile[] {
  const observe = observeTarget(directory, new Map(), new Set());
  return files.filter(({ path, hash }) => {
    const observed = observe(path);
    return observed.kind === 'file' && observed.hash === hash;
  });
}

function holdsEntries(directory: string, { entries }: LockFile): boolean {
  return [...Map.groupBy(entries, ({ path }) => path)].some(([path, rows]) => {
    const owned = {
      created_file: false,
      created: [],
      opened: [],
      entries: rows.map(({ shape, container, key, hash, id }) => ({
        shape,
        container,
        key,
        hash,
        artifact_id: id,
      })),
    };
    try {
      const text = readRegularFile(`${directory}/${path}`, MAX_TEXT_BYTES).toString('utf8');
      return editManagedFile(text, [], owned, path).changed;
    } catch {
      return false;
    }
  });
}

function lockMissing(directory: string, files: number): CatalogError {
  const what = files === 0 ? 'entries' : files === 1 ? '1 file' : `${files} files`;
  return new CatalogError(
    'materialize.lock_missing',
    `${lockPath(directory)} is missing, but ${what} that catalog wrote ${files === 1 ? 'still exists' : 'still exist'}. Nothing was changed.`,
    { details: { directory, files } },
  );
}
