import { lstatSync } from 'node:fs';
import { load, YAMLException } from 'js-yaml';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import { isMissing } from '@catalog/core/node/is-missing';
import { reasonOf } from '@catalog/core/node/read-entry';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { interruptible } from '../interruptible.ts';
import { MAX_LINES, readLockLines, type Row } from './lock-lines.ts';
import { emptyLock, type LockFile } from './types.ts';

/** Maximum size of a lock, several times that for 100,000 files. */
export const MAX_LOCK_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = `is larger than ${MAX_LOCK_BYTES / 1024 / 1024} MiB`;

/** Maximum size of a lock that must be read with the slow YAML parser. */
const MAX_OTHER_YAML_LENGTH = 256 * 1024;

export const LOCK_FILE = '.catalog/sync.lock';

export function lockPath(directory: string): string {
  return `${directory}/${LOCK_FILE}`;
}

export function loadLock(directory: string): LockFile {
  return readLock(directory).lock;
}

export function readLock(directory: string): { lock: LockFile; hash: string | undefined } {
  const path = lockPath(directory);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linked(path);
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, MAX_LOCK_BYTES);
  } catch (cause) {
    if (isMissing(cause)) return { lock: emptyLock(), hash: undefined };
    const is_large = cause instanceof Error && 'code' in cause && cause.code === 'EFBIG';
    throw unusable({ path }, is_large ? TOO_LARGE : reasonOf(cause), cause);
  }
  return interruptible(() => ({
    lock: parseLock(bytes.toString('utf8'), path),
    hash: bytesHash(bytes),
  }));
}

/**
 * Parses a lock. It determines which files a sync may overwrite and delete, so its paths are checked like those to be
 * written. Throws at the first invalid row.
 */
export function parseLock(text: string, path: string): LockFile {
  if (text.length > MAX_LOCK_BYTES) throw unusable({ path }, TOO_LARGE);
  const { onValue, onItem, finish } = collectLock(path);
  const line = readLockLines(text, { onValue, onItem });
  if (line === undefined) return finish();
  if (line > MAX_LINES) throw unusable({ path }, `has more than ${MAX_LINES} lines`);
  const conflict = findConflict(text);
  if (conflict !== undefined) throw inConflict(path, conflict);
  if (text.length > MAX_OTHER_YAML_LENGTH) {
    throw unusable({ path, line }, 'is not in the format that catalog writes');
  }
  return parseOtherYaml(text, path);
}

function parseOtherYaml(text: string, path: string): LockFile {
  let value: unknown;
  try {
    value = load(text);
  } catch (cause) {
    const mark = cause instanceof YAMLException ? cause.mark : undefined;
    const place = mark === undefined ? { path } : { path, line: mark.line + 1 };
    throw unusable(place, 'is not valid YAML', cause);
  }
  const { onValue, finish } = collectLock(path);
  for (const [key, member] of Object.entries(record(value, { path }))) onValue(key, member);
  return finish();
}

interface Place {
  path: string;
  line?: number | undefined;
}

interface LockCollector {
  onValue: (key: string, value: unknown, line?: number) => void;
  onItem: (key: string, item: unknown, line?: number) => void;
  finish: () => LockFile;
}

/** Collects and checks the values of a lock. Ignores unknown keys of other releases. */
function collectLock(path: string): LockCollector {
  const lock = emptyLock();
  const missing = new Set(['version', ...LISTS, 'toggles']);
  missing.delete('pre_existing');
  function onItem(key: string, item: unknown, line?: number): void {
    missing.delete(key);
    if (isList(key)) addItem(lock, key, item, { path, line });
    else if (key === 'version' || key === 'toggles') onValue(key, [item], line);
  }
  function onValue(key: string, value: unknown, line?: number): void {
    const place = { path, line };
    missing.delete(key);
    if (isList(key)) for (const item of array(value, key, place)) addItem(lock, key, item, place);
    else if (key === 'toggles') lock.toggles = readToggles(value, place);
    else if (key === 'version') checkVersion(value, place);
  }
  return {
    onItem,
    onValue,
    finish: () => {
      const [key] = missing;
      if (key === undefined) return lock;
      throw unusable({ path }, `has no ${key}`);
    },
  };
}

type List = Exclude<keyof LockFile, 'toggles'>;

const LISTS: readonly List[] = [
  'targets',
  'artifacts',
  'files',
  'entries',
  'shared',
  'pre_existing',
  'directories',
];

const LIST_NAMES: ReadonlySet<string> = new Set(LISTS);

function isList(key: string): key is List {
  return LIST_NAMES.has(key);
}

function addItem(lock: LockFile, key: List, item: unknown, place: Place): void {
  switch (key) {
    case 'targets':
      lock.targets.push(toTarget(record(item, place), place));
      break;
    case 'artifacts':
      lock.artifacts.push(toArtifact(record(item, place), place));
      break;
    case 'files':
      lock.files.push(toFile(record(item, place), place));
      break;
    case 'entries':
      lock.entries.push(toEntry(record(item, place), place));
      break;
    case 'shared':
      lock.shared.push(toShared(record(item, place), place));
      break;
    case 'pre_existing':
      lock.pre_existing.push(toPreExisting(record(item, place), place));
      break;
    case 'directories':
      lock.directories.push(checkDirectory(text(item, key, place), place));
      break;
  }
}

function checkVersion(value: unknown, place: Place): void {
  if (value === 1) return;
  const problem = `has the version ${String(value)}, but this release writes version 1`;
  throw unusable(place, problem);
}

function toTarget(row: Row, place: Place): LockFile['targets'][number] {
  return {
    id: textOf(row, 'id', place),
    registry: textOf(row, 'registry', place),
    harness: textOf(row, 'harness', place),
    ...(row['profile'] === undefined ? {} : { profile: textOf(row, 'profile', place) }),
  };
}

function toArtifact(row: Row, place: Place): LockFile['artifacts'][number] {
  return {
    target: textOf(row, 'target', place),
    id: textOf(row, 'id', place),
    version: textOf(row, 'version', place),
    layer: textOf(row, 'layer', place),
    content_hash: textOf(row, 'content_hash', place),
  };
}

function toFile(row: Row, place: Place): LockFile['files'][number] {
  const file: LockFile['files'][number] = {
    path: safePath(row, place),
    hash: textOf(row, 'hash', place),
    target: textOf(row, 'target', place),
    id: textOf(row, 'id', place),
  };
  if (row['executable'] === true) file.executable = true;
  return file;
}

function toEntry(row: Row, place: Place): LockFile['entries'][number] {
  return {
    path: safePath(row, place),
    shape: shapeOf(row),
    container: texts(row['container'], 'container', place),
    key: textOf(row, 'key', place),
    hash: textOf(row, 'hash', place),
    target: textOf(row, 'target', place),
    id: textOf(row, 'id', place),
  };
}

function toShared(row: Row, place: Place): LockFile['shared'][number] {
  return {
    path: safePath(row, place),
    ...(row['created_file'] === true ? { created_file: true as const } : {}),
    created: places(row, 'created', place),
    opened: places(row, 'opened', place),
  };
}

function toPreExisting(row: Row, place: Place): LockFile['pre_existing'][number] {
  return {
    path: safePath(row, place),
    ...(row['at'] === undefined ? {} : { at: texts(row['at'], 'at', place) }),
    target: textOf(row, 'target', place),
    id: textOf(row, 'id', place),
  };
}

function readToggles(value: unknown, place: Place): LockFile['toggles'] {
  const toggles = record(value, place);
  return {
    add: texts(toggles['add'], 'add', place),
    remove: texts(toggles['remove'], 'remove', place),
  };
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown, place: Place): Row {
  if (isRow(value)) return value;
  throw unusable(place, 'is not in the format of a lock');
}

function array(value: unknown, name: string, place: Place): unknown[] {
  if (Array.isArray(value)) return value;
  throw unusable(place, `has no list under ${name}`);
}

function textOf(row: Row, name: string, place: Place): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  throw unusable(place, `has a row whose ${name} is not a string`);
}

function text(value: unknown, name: string, place: Place): string {
  if (typeof value === 'string') return value;
  throw unusable(place, `has a value under ${name} that is not a string`);
}

function texts(value: unknown, name: string, place: Place): string[] {
  return array(value, name, place).map((item) => text(item, name, place));
}

function places(row: Row, name: string, place: Place): string[][] {
  return array(row[name], name, place).map((item) => texts(item, name, place));
}

/** Returns the kind of an entry, which rows of older versions lack. */
function shapeOf(row: Row): LockFile['entries'][number]['shape'] {
  const { shape } = row;
  return shape === 'array' || shape === 'block' ? shape : 'map';
}

function safePath(row: Row, place: Place): string {
  const value = textOf(row, 'path', place);
  return checkPath(value, place, writeProblem(value, 'deliver'));
}

function checkDirectory(value: string, place: Place): string {
  return checkPath(value, place, pathProblem(value));
}

function checkPath(value: string, place: Place, problem: string | undefined): string {
  if (problem === undefined) return value;
  throw unusable(place, `has a path that ${problem}`);
}

const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m;

function findConflict(text: string): number | undefined {
  const at = text.search(CONFLICT);
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}

function inConflict(path: string, line: number): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `The lock ${path} has an unresolved merge conflict at line ${line}.`,
    {
      details: { path, line },
      suggested_action: `Keep one side, for example with \`git checkout --ours -- ${path}\`, and run \`catalog sync\`.`,
    },
  );
}

function linked(path: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `The lock ${path} is a link; catalog does not write through links.`,
    {
      details: { path },
      suggested_action: 'Replace the link with the file it leads to, or remove it.',
    },
  );
}

function unusable({ path, line }: Place, problem: string, cause?: unknown): CatalogError {
  const at = line === undefined ? '' : ` (line ${line})`;
  return new CatalogError('materialize.target_invalid', `The lock ${path} ${problem}${at}.`, {
    details: line === undefined ? { path } : { path, line },
    suggested_action:
      'Restore it from version control, or delete it and run `catalog sync --recover`, which rebuilds it from the existing files.',
    cause,
  });
}
