import { existsSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { editManagedFile } from '@catalog/harness/managed/edit-managed-file';
import { observeTarget } from '../sync/observe-target.ts';
import { getLocalRecord } from './local-record.ts';
import { loadLock, lockPath } from './read-lock.ts';
import type { LockedFile, LockFile } from './types.ts';

/** The lock a run starts from, and what this machine knows in addition to it. */
export interface KnownLock {
  lock: LockFile;
  /** What the last run on this machine wrote, if `lock` is another one. */
  record: LockFile | undefined;
  /** True if `lock` was rebuilt from this machine's record. */
  recovered: boolean;
}

/**
 * Loads the lock before a run that writes. If it is gone although files catalog wrote are still there,
 * a run would treat them as the user's: it fails, unless `recover` rebuilds the lock from this
 * machine's record.
 */
export function requireLock(directory: string, recover = false): KnownLock {
  const lock = loadLock(directory);
  const record = getLocalRecord(directory);
  if (record === undefined || existsSync(lockPath(directory))) {
    return { lock, record, recovered: false };
  }
  const files = unchangedFiles(directory, record);
  if (files.length === 0 && !holdsEntries(directory, record)) {
    return { lock, record: undefined, recovered: false };
  }
  if (!recover) throw lockMissing(directory, files.length);
  return { lock: { ...record, files }, record: undefined, recovered: true };
}

/** The files of a lock that still hold what catalog wrote. */
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
      return false; // gone, or no longer a file catalog can read
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
