import { lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { isMissing } from '@catalog/core/node/is-missing';
import { parentPath } from '@catalog/core/text/slash-path';
import { uniqueName } from '../id.ts';
import { formatLock } from '../lock/format-lock.ts';
import { rememberLock } from '../lock/local-record.ts';
import { LOCK_FILE, lockPath } from '../lock/read-lock.ts';
import { rememberTakenOver, type TakenOver } from '../lock/taken-over.ts';
import type { LockFile } from '../lock/types.ts';
import type { ApprovedContent } from '../trust/approve-content.ts';
import type { ApprovedFolder } from '../trust/approve-folder.ts';
import { openCheckedWriter, type CheckedWriter, type NewFile } from './checked-writer.ts';
import { clearJournal, temporaryFolder, writeJournal, type Journal } from './journal.ts';
import { BACKUP_FOLDER, KEPT_FOLDER, keepCopy, type KeptFile } from './kept-files.ts';
import { keepLateSaves } from './leftover-files.ts';
import { openParentGuard, type ParentGuard } from './parent-guard.ts';
import { hasRows, type DirectoryPlan } from './plan-directory.ts';
import type { CheckedPlan } from './safety/safety-rules.ts';
import { formerRows } from './shared-files.ts';
import { openSaver } from './save-files.ts';
import { moveIntoPlace, stageFolders, type Staging } from './stage-folders.ts';
import { openUndo, UNDO_NEXT, type UndoKeeper } from './undo-record.ts';
import { openReplacer, writeNew, type FileReplacer } from './write-file.ts';

/** Result of a run: changed files, and copies of the user's versions. */
export interface Applied {
  kept: KeptFile[];
  backups: KeptFile[];
  /** Files that another program saved during the run, which did not change them. */
  changed_meanwhile: string[];
  lock_hash: string | undefined;
}

/** Approvals and options for applying a plan to a directory. */
export interface ApplyOptions {
  folder: ApprovedFolder;
  content: ApprovedContent;
  onProgress?: (done: number, total: number) => void;
  rewrite_lock: boolean;
}

const BATCH = 256;

/**
 * Applies a plan: backups, journal, deletions, files, shared files, lock. If it is interrupted, each file has its old
 * or new content or was moved aside, and the journal describes the rest for the next run. Replaced files are kept for `catalog undo`,
 * and files that another program saves meanwhile are not changed (SPEC-90).
 */
export async function applyDirectory(
  plan: CheckedPlan,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<Applied> {
  const run = uniqueName();
  const folder = temporaryFolder(plan.state, run);
  mkdirSync(folder, { recursive: true });
  try {
    return await runPlan(
      plan,
      { run, folder, replacer: openReplacer(folder, run) },
      options,
      signal,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  run: string;
  folder: string;
  replacer: FileReplacer;
}

async function runPlan(
  plan: DirectoryPlan,
  { run, folder, replacer }: Run,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<Applied> {
  const { directory, files, state } = plan;
  const idle = isIdle(plan);
  const kept: KeptFile[] = idle ? [] : keepLateSaves(state);
  const guard = openParentGuard(directory);
  const backups = listTakenOver(plan).map((path) => keepCopy(directory, path, BACKUP_FOLDER));
  rememberTakenOver(state, listTakenOverPlaces(plan, backups));
  const made = listTopmost(missingFolders(plan));
  const undo = idle ? undefined : openUndo(state, undoInput(plan));
  const journal = undo === undefined ? undefined : journalOf(plan, run, made, undo);
  if (journal !== undefined) writeJournal(state, journal, replacer);

  const writer = openCheckedWriter(directory, folder, run);
  const changed_meanwhile: string[] = [];
  const writing: Writing = { plan, writer, undo, kept, guard, changed_meanwhile };
  for (const path of files.deletes) removeFile(path, writing);
  for (const path of files.released) kept.push({ path, kept_at: path });
  const roots = new Set([
    ...plan.lock.directories,
    ...(plan.interrupted?.directories ?? []),
    ...made,
  ]);
  const places = files.writes.map(({ path }) => path);
  pruneFolders(directory, [...files.deletes, ...files.gone], new Set([...roots, ...places]));
  guard.reset();

  const staging = stageFolders(directory, missingFolders(plan), folder);
  await writeFiles(writing, staging, options, signal);
  const blocked = moveIntoPlace(directory, staging, guard);
  for (const write of files.writes) {
    if (isUnder(parentPath(write.path), blocked)) createFile(write, writing);
  }
  writeShared(writing);
  const removed = plan.shared.filter(({ text }) => text === undefined).map(({ path }) => path);
  pruneFolders(directory, removed, roots);

  const left = new Set(changed_meanwhile);
  if (journal !== undefined && left.size > 0) {
    writeJournal(state, withoutPaths(journal, left), replacer);
  }
  const directories = listTopmost([...roots]).filter((path) => isFolder(`${directory}/${path}`));
  const lock = { ...lockAfter(plan, left), directories };
  const text = formatLock(withRows(lock, plan.unrecorded));
  const isWritten =
    !idle || options.rewrite_lock || plan.recovered || text !== formatLock(plan.previous);
  if (isWritten) {
    const saver = openSaver(state);
    const file = { bytes: Buffer.from(text), mode: 0o644, durable: true };
    const outcome = saver.save(lockPath(directory), file, plan.lock_hash);
    if (outcome === 'changed') changed_meanwhile.push(LOCK_FILE);
    kept.push(...saver.kept);
  }
  rememberLock(state, hasRows(plan.unrecorded) ? formatLock(lock) : text);
  clearJournal(state, undo === undefined ? undefined : UNDO_NEXT);
  kept.push(...(undo?.finish() ?? []), ...writer.kept);
  return {
    kept,
    backups,
    changed_meanwhile,
    lock_hash: isWritten ? bytesHash(text) : plan.lock_hash,
  };
}

function withRows(lock: LockFile, rows: DirectoryPlan['unrecorded']): LockFile {
  if (!hasRows(rows)) return lock;
  return {
    ...lock,
    files: [...lock.files, ...rows.files],
    entries: [...lock.entries, ...rows.entries],
  };
}

/** Returns the new lock. Files that the run did not change keep their previous rows. */
function lockAfter({ lock, previous, shared }: DirectoryPlan, left: ReadonlySet<string>): LockFile {
  if (left.size === 0) return lock;
  const former = formerRows(
    shared.filter(({ path }) => left.has(path)),
    { lock: previous, target: lock.targets[0]?.id ?? '' },
  );
  const choose = <Row extends { path: string }>(
    next: readonly Row[],
    former: readonly Row[],
  ): Row[] => [
    ...next.filter(({ path }) => !left.has(path)),
    ...former.filter(({ path }) => left.has(path)),
  ];
  return {
    ...lock,
    files: choose(lock.files, previous.files),
    entries: choose(lock.entries, former.entries),
    shared: choose(lock.shared, former.shared),
    pre_existing: choose(lock.pre_existing, previous.pre_existing),
  };
}

function listTakenOver({ files, shared }: DirectoryPlan): string[] {
  return [
    ...files.writes.filter(({ taken_over }) => taken_over === true).map(({ path }) => path),
    ...files.claimed.filter(({ claim }) => claim === 'take-over').map(({ path }) => path),
    ...shared
      .filter(({ claimed }) => claimed.some(({ claim }) => claim === 'take-over'))
      .map(({ path }) => path),
  ];
}

function listTakenOverPlaces(
  { directory, shared }: DirectoryPlan,
  backups: readonly KeptFile[],
): TakenOver[] {
  return backups.flatMap(({ path, kept_at }) => {
    const hash = bytesHash(readRegularFile(`${directory}/${kept_at}`, MAX_FILE_BYTES));
    const row = { path, backup: kept_at, hash };
    const entries = shared.find((file) => file.path === path)?.claimed;
    if (entries === undefined) return [row];
    return entries.filter(({ claim }) => claim === 'take-over').map(({ at }) => ({ ...row, at }));
  });
}

/** Returns true if the run changes nothing and completes no interrupted run. */
function isIdle({ files, shared, interrupted }: DirectoryPlan): boolean {
  return (
    interrupted === undefined &&
    files.writes.length === 0 &&
    files.deletes.length === 0 &&
    shared.every(({ changed }) => !changed)
  );
}

/**
 * Returns the journal of a run. It includes the changes of an interrupted run, so that a second interruption loses no
 * file.
 */
function journalOf(
  plan: DirectoryPlan,
  run: string,
  directories: string[],
  { aside, lock }: UndoKeeper,
): Journal {
  const { files, shared, interrupted } = plan;
  const changing = shared.filter(({ changed }) => changed);
  const paths = new Set(changing.map(({ path }) => path));
  const written = new Set(files.writes.map(({ path }) => path));
  const interrupted_files = new Set(interrupted?.files.map(({ path }) => path));
  const interrupted_shared = new Set(interrupted?.shared.map(({ path }) => path));
  const deleted_again = [
    ...files.deletes.filter((path) => interrupted_files.has(path)),
    ...(interrupted?.deleted_again ?? []).filter((path) => !written.has(path)),
  ];
  return {
    run,
    files: [
      ...files.writes.map(({ path, file }) => ({ path, hash: file.hash })),
      ...(interrupted?.files ?? []),
    ],
    deletes: [...files.deletes, ...(interrupted?.deletes ?? [])],
    ...(deleted_again.length === 0 ? {} : { deleted_again }),
    shared: [
      ...changing.map(({ path, before, text, owned, owned_before }) => ({
        path,
        ...(before === undefined ? {} : { before }),
        ...(text === undefined ? {} : { after: bytesHash(text) }),
        ...(owned === undefined ? {} : { owned }),
        ...(owned_before !== undefined && interrupted_shared.has(path) ? { owned_before } : {}),
      })),
      ...(interrupted?.shared.filter(({ path }) => !paths.has(path)) ?? []),
    ],
    directories: [...directories, ...(interrupted?.directories ?? [])],
    aside,
    ...(lock === undefined ? {} : { lock }),
  };
}

/** Removes files that the run did not change, so that an undo does not revert them. */
function withoutPaths(journal: Journal, left: ReadonlySet<string>): Journal {
  const isDone = ({ path }: { path: string }): boolean => !left.has(path);
  return {
    ...journal,
    files: journal.files.filter(isDone),
    deletes: journal.deletes.filter((path) => !left.has(path)),
    ...(journal.deleted_again === undefined
      ? {}
      : { deleted_again: journal.deleted_again.filter((path) => !left.has(path)) }),
    shared: journal.shared.filter(isDone),
  };
}

function undoInput(plan: DirectoryPlan): Parameters<typeof openUndo>[1] {
  const { files, shared, interrupted, recovered, has_ignored, previous } = plan;
  const replaced = files.writes.filter(({ change }) => change === 'changed');
  return {
    moving: [
      ...[...files.deletes, ...replaced.map(({ path }) => path)].map((path) => ({
        path,
        hash: checkedHash(plan, path),
      })),
      ...shared.flatMap(({ path, before, changed }) =>
        changed && before !== undefined ? [{ path, hash: before }] : [],
      ),
    ],
    interrupted,
    // An undo must not make ignored rows valid.
    rebuilt_lock: recovered || has_ignored ? formatLock(previous) : undefined,
  };
}

/** Returns the hash that was checked; empty if there was no file. */
function checkedHash({ files }: DirectoryPlan, path: string): string {
  return files.seen.get(path)?.hash ?? '';
}

function missingFolders({ directory, files, shared }: DirectoryPlan): string[] {
  const missing = new Set<string>();
  const present = new Set<string>(['']);
  function visit(path: string): void {
    if (present.has(path) || missing.has(path)) return;
    const parent = parentPath(path);
    visit(parent);
    if (!missing.has(parent) && isFolder(`${directory}/${path}`)) present.add(path);
    else missing.add(path);
  }
  for (const { path } of files.writes) visit(parentPath(path));
  for (const { path, changed, text } of shared) {
    if (changed && text !== undefined) visit(parentPath(path));
  }
  return [...missing];
}

function listTopmost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  return folders.filter((path) => !isUnder(parentPath(path), all));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

interface Writing {
  plan: DirectoryPlan;
  writer: CheckedWriter;
  undo: UndoKeeper | undefined;
  kept: KeptFile[];
  guard: ParentGuard;
  changed_meanwhile: string[];
}

type FileWrite = DirectoryPlan['files']['writes'][number];

function newFile({ file, mode }: FileWrite): NewFile {
  const { bytes, executable } = file;
  return { bytes, mode: mode ?? (executable ? 0o755 : 0o644), durable: false };
}

function removeFile(path: string, { plan, writer, undo, guard, changed_meanwhile }: Writing): void {
  if (undo === undefined) return;
  guard.check(path);
  const checked = { hash: checkedHash(plan, path), aside: undo.asidePath(path), shared: false };
  if (writer.remove(path, checked) === 'changed') changed_meanwhile.push(path);
}

function createFile(write: FileWrite, { writer, guard, changed_meanwhile }: Writing): void {
  guard.check(write.path);
  if (writer.create(write.path, newFile(write)) === 'changed') changed_meanwhile.push(write.path);
}

function replaceFile(write: FileWrite, writing: Writing): void {
  const { plan, writer, undo, kept, guard, changed_meanwhile } = writing;
  if (undo === undefined) return;
  const { path } = write;
  guard.check(path);
  if (write.edited) kept.push(...keepEdited(plan.directory, path));
  const checked = { hash: checkedHash(plan, path), aside: undo.asidePath(path), shared: false };
  if (writer.replace(path, newFile(write), checked) === 'changed') changed_meanwhile.push(path);
}

/** Copies a file before it is replaced, so that the copy survives an interruption. */
function keepEdited(directory: string, path: string): KeptFile[] {
  try {
    return [keepCopy(directory, path, KEPT_FOLDER)];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function writeFiles(
  writing: Writing,
  staging: Staging,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { writes } = writing.plan.files;
  signal?.throwIfAborted();
  for (const [position, write] of writes.entries()) {
    if (position % BATCH === 0 && position > 0) {
      options.onProgress?.(position, writes.length);
      await nextTurn();
      signal?.throwIfAborted();
    }
    const parent = parentPath(write.path);
    const staged = staging.get(parent);
    if (staged !== undefined) {
      const { bytes, mode } = newFile(write);
      writeNew(`${staged}/${write.path.slice(parent.length + 1)}`, bytes, mode, false);
    } else if (write.change === 'added') createFile(write, writing);
    else replaceFile(write, writing);
  }
}

/** Writes shared files durably, because they contain the user's own content. */
function writeShared({ plan, writer, undo, kept, guard, changed_meanwhile }: Writing): void {
  if (undo === undefined) return;
  const { directory } = plan;
  for (const { path, text, before, mode, changed, edited } of plan.shared) {
    if (!changed) continue;
    guard.check(path);
    const file = { bytes: Buffer.from(text ?? ''), mode, durable: true };
    const checked = { hash: before ?? '', aside: undo.asidePath(path), shared: true };
    if (edited) kept.push(...keepEdited(directory, path));
    const outcome =
      text === undefined
        ? writer.remove(path, checked)
        : before === undefined
          ? writer.create(path, file)
          : writer.replace(path, file, checked);
    if (outcome === 'changed') changed_meanwhile.push(path);
  }
}

/** Removes empty folders, up to the topmost one that catalog created. */
export function pruneFolders(
  directory: string,
  paths: readonly string[],
  roots: ReadonlySet<string>,
): void {
  for (const path of new Set(paths.map(parentPath))) {
    for (let folder = path; isUnder(folder, roots); folder = parentPath(folder)) {
      // A lock can name 100,000 missing folders, so missing ones must not throw.
      if (lstatSync(`${directory}/${folder}`, { throwIfNoEntry: false }) === undefined) continue;
      try {
        rmdirSync(`${directory}/${folder}`);
      } catch (error) {
        // Removed with another path, or by an interrupted run.
        if (!isMissing(error)) break;
      }
    }
  }
}

function isUnder(folder: string, roots: ReadonlySet<string>): boolean {
  for (let path = folder; path !== ''; path = parentPath(path)) if (roots.has(path)) return true;
  return false;
}
