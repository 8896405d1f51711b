import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { holdsEntry } from '@catalog/harness/managed/edit-managed-file';
import { entryPlace } from '../sync/desired-state.ts';
import { observeTarget } from '../sync/observe-target.ts';
import type { OwnsRow } from './owns-path.ts';
import type { LockedEntry, LockedFile, LockFile } from './types.ts';

export interface AdmittedLock {
  /** Valid rows: those in this user's own record, and those whose content matches the file on disk. */
  lock: LockFile;
  /** Ignored rows: their content differs or is missing, or no adapter writes their path. */
  ignored: Pick<LockFile, 'files' | 'entries' | 'shared'>;
  /** Ignored paths whose content matches although no adapter writes them. */
  unowned: string[];
}

/**
 * Selects the valid rows of a lock. Anyone can commit a lock, so a row that is not in this user's record counts only
 * while its file has exactly the recorded content (SPEC-89), and only for a path that its adapter writes (SPEC-88).
 */
export function admitEvidence(
  lock: LockFile,
  recorded: LockFile,
  directory: string,
  owns: OwnsRow,
): AdmittedLock {
  const paths = new Set(recorded.files.map(({ path }) => path));
  const places = new Set(recorded.entries.map((row) => entryPlace(row.path, row)));
  const observe = observeTarget(directory, new Map(), new Set());
  const unowned = new Set<string>();
  const isOwned = (row: LockedFile | LockedEntry): boolean => {
    const isKnown = owns(lock, row) === 'owned';
    if (!isKnown) unowned.add(row.path);
    return isKnown;
  };
  const files = Map.groupBy(lock.files, (row) => {
    if (paths.has(row.path)) return true;
    const observed = observe(row.path);
    return observed.kind === 'file' && observed.hash === row.hash && isOwned(row);
  });
  const texts = new Map<string, string | undefined>();
  const entries = Map.groupBy(lock.entries, (row) => {
    if (places.has(entryPlace(row.path, row))) return true;
    if (!texts.has(row.path)) texts.set(row.path, readText(`${directory}/${row.path}`));
    return holdsRow(texts.get(row.path), row) && isOwned(row);
  });
  const shared = new Set([
    ...recorded.shared.map(({ path }) => path),
    ...(entries.get(true) ?? []).map(({ path }) => path),
  ]);
  return {
    lock: {
      ...lock,
      files: files.get(true) ?? [],
      entries: entries.get(true) ?? [],
      shared: lock.shared.filter(({ path }) => shared.has(path)),
    },
    ignored: {
      files: files.get(false) ?? [],
      entries: entries.get(false) ?? [],
      shared: lock.shared.filter(({ path }) => !shared.has(path)),
    },
    unowned: [...unowned],
  };
}

function holdsRow(text: string | undefined, row: LockedEntry): boolean {
  if (text === undefined) return false;
  const { path, shape, container, key, hash, id } = row;
  try {
    return holdsEntry(text, { shape, container, key, hash, artifact_id: id }, path);
  } catch {
    return false;
  }
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_FILE_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}
