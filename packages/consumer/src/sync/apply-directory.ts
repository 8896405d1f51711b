import { constants, copyFileSync, lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { getFingerprint } from '@catalog/core/node/fingerprint';
import { uniqueName } from '../id.ts';
import { formatLock } from '../lock/format-lock.ts';
import { rememberLock } from '../lock/local-record.ts';
import { lockPath } from '../lock/read-lock.ts';
import { behindLink, ignoreInGit } from '../lock/state-folder.ts';
import { clearJournal, temporaryFolder, writeJournal, type Journal } from './journal.ts';
import { parentPath } from '@catalog/core/text/slash-path';
import { isMissing } from '@catalog/core/node/is-missing';
import type { ApprovedContent } from '../trust/approve-content.ts';
import type { ApprovedFolder } from '../trust/approve-folder.ts';
import { observeTarget } from './observe-target.ts';
import { openParentGuard, type ParentGuard } from './parent-guard.ts';
import type { DirectoryPlan } from './plan-directory.ts';
import { moveIntoPlace, stageFolders, type Staging } from './stage-folders.ts';
import { openUndo, type UndoKeeper } from './undo-record.ts';
import { isCode, openReplacer, writeNew, type FileReplacer } from './write-file.ts';

export interface Applied {
  /** Files a person had edited, with where their version was kept. */
  kept: { path: string; kept_at: string }[];
  /** Files the user handed over to catalog, with their backups. */
  backups: { path: string; kept_at: string }[];
  /** The hash of the lock as it now is. */
  lock_hash: string;
}

export interface ApplyOptions {
  /** The folder of the plan, which the user or the workspace's own place allows to be written. */
  folder: ApprovedFolder;
  /** The executable content of the plan, which the user or a policy approved. */
  content: ApprovedContent;
  onProgress?: (done: number, total: number) => void;
  /** Write the lock although it would say the same. */
  rewrite_lock: boolean;
}

const BATCH = 256;

/** Where a person's own versions go; it tells git by itself to leave it alone. */
const KEPT = '.catalog/kept';
/** Where files go that the user handed over with `--take-over`. */
const BACKUP = '.catalog/backup';

/**
 * Carries a plan out: backups, journal, deletions, files, shared files, and the lock last. Whenever it
 * is cut short, each file is wholly old or new and the journal tells the next run what was catalog's
 * doing. What is replaced or removed is kept for `catalog undo`.
 */
export async function applyDirectory(
  plan: DirectoryPlan,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<Applied> {
  const run = uniqueName();
  const folder = temporaryFolder(plan.directory, run);
  mkdirSync(folder, { recursive: true });
  try {
    return await carryOut(
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

async function carryOut(
  plan: DirectoryPlan,
  { run, folder, replacer }: Run,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<Applied> {
  const { directory, files } = plan;
  const kept: Applied['kept'] = [];
  const guard = openParentGuard(directory);
  const backups = takenOver(plan).map((path) => copyAside(directory, path, BACKUP));
  const made = uppermost(missingFolders(plan));
  const idle = isIdle(plan);
  const undo = idle ? undefined : openUndo(directory, plan.interrupted);
  if (undo !== undefined) {
    undo.keepLock(plan.recovered ? formatLock(plan.previous) : undefined);
    writeJournal(directory, journalOf(plan, run, made), replacer);
  }

  for (const path of files.deletes) {
    guard.check(path);
    refuseChangedSince(plan, path);
    undo?.remove(path);
  }
  for (const path of files.released) kept.push({ path, kept_at: path });
  const roots = new Set([
    ...plan.lock.directories,
    ...(plan.interrupted?.directories ?? []),
    ...made,
  ]);
  // Where a file takes the place of a folder, nothing is left in that folder.
  const places = files.writes.map(({ path }) => path);
  pruneFolders(directory, [...files.deletes, ...files.gone], new Set([...roots, ...places]));
  guard.reset();

  const staging = stageFolders(directory, missingFolders(plan), folder);
  const writing = { replacer, staging, undo, kept, guard };
  await writeFiles(plan, writing, options, signal);
  moveIntoPlace(directory, staging, guard);
  writeShared(plan, writing);
  const removed = plan.shared.filter(({ text }) => text === undefined).map(({ path }) => path);
  pruneFolders(directory, removed, roots);

  plan.lock.directories = uppermost([...roots]).filter((path) => isFolder(`${directory}/${path}`));
  const text = formatLock(plan.lock);
  if (!idle || options.rewrite_lock || plan.recovered || text !== formatLock(plan.previous)) {
    replacer.replace(lockPath(directory), Buffer.from(text), 0o644, true);
  }
  rememberLock(directory, text, (path, bytes) => replacer.replace(path, bytes, 0o600, false));
  clearJournal(directory, undo?.journal);
  undo?.finish();
  return { kept, backups, lock_hash: bytesHash(text) };
}

/** Files of the user's that become catalog's in this run with the user's consent. */
function takenOver({ files, shared }: DirectoryPlan): string[] {
  return [
    ...files.writes.filter(({ taken_over }) => taken_over === true).map(({ path }) => path),
    ...files.claimed.filter(({ claim }) => claim === 'take-over').map(({ path }) => path),
    ...shared
      .filter(({ claimed }) => claimed.some(({ claim }) => claim === 'take-over'))
      .map(({ path }) => path),
  ];
}

/** A file that was saved while the run was planned or loading holds something the plan does not know. */
function refuseChangedSince({ directory, files }: DirectoryPlan, path: string): void {
  const seen = files.seen.get(path);
  const now = getFingerprint(`${directory}/${path}`);
  if (seen === undefined || now === undefined) return;
  // Not the change time: keeping a copy of another hard link to the same file moves it.
  const same = seen.inode === now.inode && seen.size === now.size && seen.mtime === now.mtime;
  if (!same) throw changedMeanwhile(directory, path);
}

function changedMeanwhile(directory: string, path: string, cause?: unknown): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `${path} in ${directory} changed during the sync, so catalog left it unchanged.`,
    {
      details: { path, directory },
      suggested_action: 'Run the command again.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** A run that only completes an interrupted one still makes what that one did undoable. */
function isIdle({ files, shared, interrupted }: DirectoryPlan): boolean {
  return (
    interrupted === undefined &&
    files.writes.length === 0 &&
    files.deletes.length === 0 &&
    shared.every(({ changed }) => !changed)
  );
}

/**
 * What this run sets out to do, and what one before it did that was cut short: should this one be cut
 * short too, nothing of either is orphaned.
 */
function journalOf(plan: DirectoryPlan, run: string, directories: string[]): Journal {
  const { files, shared, interrupted } = plan;
  const changing = shared.filter(({ changed }) => changed);
  const paths = new Set(changing.map(({ path }) => path));
  const written = new Set(files.writes.map(({ path }) => path));
  const begun = new Set(interrupted?.files.map(({ path }) => path));
  const deleted_again = [
    ...files.deletes.filter((path) => begun.has(path)),
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
      ...changing.map(({ path, before, text, owned }) => ({
        path,
        ...(before === undefined ? {} : { before }),
        ...(text === undefined ? {} : { after: bytesHash(text) }),
        ...(owned === undefined ? {} : { owned }),
      })),
      ...(interrupted?.shared.filter(({ path }) => !paths.has(path)) ?? []),
    ],
    directories: [...directories, ...(interrupted?.directories ?? [])],
  };
}

/** Folders that do not exist yet, parents first. */
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

/** Of some folders, those that lie in no other of them. */
function uppermost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  return folders.filter((path) => !isUnder(parentPath(path), all));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

interface Writing {
  replacer: FileReplacer;
  staging: Staging;
  undo: UndoKeeper | undefined;
  kept: Applied['kept'];
  guard: ParentGuard;
}

async function writeFiles(
  plan: DirectoryPlan,
  { replacer, staging, undo, kept, guard }: Writing,
  options: ApplyOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { writes } = plan.files;
  signal?.throwIfAborted();
  for (const [position, write] of writes.entries()) {
    if (position % BATCH === 0 && position > 0) {
      options.onProgress?.(position, writes.length);
      await nextTurn();
      signal?.throwIfAborted();
    }
    const { bytes, executable } = write.file;
    const mode = write.mode ?? (executable ? 0o755 : 0o644);
    const path = `${plan.directory}/${write.path}`;
    const parent = parentPath(write.path);
    const staged = staging.get(parent);
    if (staged !== undefined) {
      writeNew(`${staged}/${write.path.slice(parent.length + 1)}`, bytes, mode, false);
      continue;
    }
    guard.check(write.path);
    if (write.change === 'added') {
      createFile(plan, write.path, () => replacer.create(path, bytes, mode));
    } else {
      refuseChangedSince(plan, write.path);
      if (write.edited) kept.push(copyAside(plan.directory, write.path, KEPT));
      undo?.keep(write.path);
      replacer.replace(path, bytes, mode, false);
    }
  }
}

/** Puts a file where none was when the run was planned. */
function createFile({ directory }: DirectoryPlan, path: string, create: () => void): void {
  try {
    create();
  } catch (error) {
    throw isCode(error, 'EEXIST') ? changedMeanwhile(directory, path, error) : error;
  }
}

/** Copies the user's version of a file to a folder of ours, under a new name each time. */
function copyAside(directory: string, path: string, folder: string): Applied['kept'][number] {
  const kept_at = `${folder}/${path}.${uniqueName().slice(0, 8)}`;
  const observed = observeTarget(directory, new Map(), new Set())(kept_at);
  if (observed.kind === 'other') throw behindLink(directory, folder);
  mkdirSync(`${directory}/${parentPath(kept_at)}`, { recursive: true });
  ignoreInGit(`${directory}/${folder}`);
  copyFileSync(`${directory}/${path}`, `${directory}/${kept_at}`, constants.COPYFILE_EXCL);
  return { path, kept_at };
}

/** These hold the person's own content: they are made durable one by one. */
function writeShared(
  { directory, shared }: DirectoryPlan,
  { replacer, undo, kept, guard }: Omit<Writing, 'staging'>,
): void {
  for (const { path, text, before, mode, changed, edited } of shared) {
    if (!changed) continue;
    guard.check(path);
    refuseChangedShared(directory, path, before);
    if (edited) kept.push(copyAside(directory, path, KEPT));
    if (text === undefined) undo?.remove(path);
    else {
      if (before !== undefined) undo?.keep(path);
      replacer.replace(`${directory}/${path}`, Buffer.from(text), mode, true);
    }
  }
}

/** The new text was made from the old one: it must not replace anything else. */
function refuseChangedShared(directory: string, path: string, before: string | undefined): void {
  const observed = observeTarget(directory, new Map(), new Set())(path);
  const now = observed.kind === 'file' ? observed.hash : undefined;
  if (now !== before) throw changedMeanwhile(directory, path);
}

/** Removes folders that became empty, as far up as catalog made them. */
export function pruneFolders(
  directory: string,
  paths: readonly string[],
  roots: ReadonlySet<string>,
): void {
  for (const path of new Set(paths.map(parentPath))) {
    for (let folder = path; isUnder(folder, roots); folder = parentPath(folder)) {
      try {
        rmdirSync(`${directory}/${folder}`);
      } catch (error) {
        // Gone with another path, or by a run that was cut short before it came to the folder above.
        if (!isMissing(error)) break;
      }
    }
  }
}

function isUnder(folder: string, roots: ReadonlySet<string>): boolean {
  for (let path = folder; path !== ''; path = parentPath(path)) if (roots.has(path)) return true;
  return false;
}
