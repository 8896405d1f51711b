import { load } from 'js-yaml';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { isMissing } from '@catalog/core/node/is-missing';
import { reasonOf } from '@catalog/core/node/read-entry';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { emptyLock, type LockFile } from './types.ts';

/** Where the lock of a target folder lies. */
export function lockPath(directory: string): string {
  return `${directory}/.catalog/sync.lock`;
}

/** Reads the lock of a target folder; an absent one is an empty one. */
export function loadLock(directory: string): LockFile {
  const path = lockPath(directory);
  let text: string;
  try {
    text = readRegularFile(path, MAX_RECORD_BYTES).toString('utf8');
  } catch (cause) {
    if (isMissing(cause)) return emptyLock();
    throw unusable(path, reasonOf(cause), cause);
  }
  return parseLock(text, path);
}

/**
 * The lock decides what sync may overwrite and delete, so it is checked like any other input: its
 * shape, and every path in it as strictly as a path about to be written.
 */
export function parseLock(text: string, path: string): LockFile {
  let value: unknown;
  try {
    value = load(text);
  } catch (cause) {
    throw unusable(path, 'is not valid YAML', cause);
  }
  const lock = record(value, path);
  if (lock['version'] !== 1) {
    throw unusable(
      path,
      `has the version ${String(lock['version'])}, but this release writes version 1`,
    );
  }
  return {
    targets: list(lock, 'targets', path).map((row) => ({
      id: textOf(row, 'id', path),
      registry: textOf(row, 'registry', path),
      harness: textOf(row, 'harness', path),
      ...(row['profile'] === undefined ? {} : { profile: textOf(row, 'profile', path) }),
    })),
    artifacts: list(lock, 'artifacts', path).map((row) => ({
      target: textOf(row, 'target', path),
      id: textOf(row, 'id', path),
      version: textOf(row, 'version', path),
      layer: textOf(row, 'layer', path),
      content_hash: textOf(row, 'content_hash', path),
    })),
    files: list(lock, 'files', path).map((row) => ({
      path: safePath(row, path),
      hash: textOf(row, 'hash', path),
      ...(row['executable'] === true ? { executable: true as const } : {}),
      target: textOf(row, 'target', path),
      id: textOf(row, 'id', path),
    })),
    entries: list(lock, 'entries', path).map((row) => ({
      path: safePath(row, path),
      shape: shapeOf(row),
      container: texts(row['container'], 'container', path),
      key: textOf(row, 'key', path),
      hash: textOf(row, 'hash', path),
      target: textOf(row, 'target', path),
      id: textOf(row, 'id', path),
    })),
    shared: list(lock, 'shared', path).map((row) => ({
      path: safePath(row, path),
      ...(row['created_file'] === true ? { created_file: true as const } : {}),
      created: places(row, 'created', path),
      opened: places(row, 'opened', path),
    })),
    pre_existing:
      lock['pre_existing'] === undefined
        ? []
        : list(lock, 'pre_existing', path).map((row) => ({
            path: safePath(row, path),
            ...(row['at'] === undefined ? {} : { at: texts(row['at'], 'at', path) }),
            target: textOf(row, 'target', path),
            id: textOf(row, 'id', path),
          })),
    directories: texts(lock['directories'], 'directories', path).map((directory) =>
      checkPath(directory, path),
    ),
    toggles: readToggles(lock['toggles'], path),
  };
}

function readToggles(value: unknown, path: string): LockFile['toggles'] {
  const toggles = record(value, path);
  return {
    add: texts(toggles['add'], 'add', path),
    remove: texts(toggles['remove'], 'remove', path),
  };
}

type Row = Record<string, unknown>;

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown, path: string): Row {
  if (isRow(value)) return value;
  throw unusable(path, 'is not in the format of a lock');
}

function array(value: unknown, name: string, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw unusable(path, `has no list under ${name}`);
}

function list(lock: Row, name: string, path: string): Row[] {
  return array(lock[name], name, path).map((row) => record(row, path));
}

function textOf(row: Row, name: string, path: string): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  throw unusable(path, `has a row whose ${name} is not a string`);
}

function texts(value: unknown, name: string, path: string): string[] {
  return array(value, name, path).map((item) => {
    if (typeof item === 'string') return item;
    throw unusable(path, `has a value under ${name} that is not a string`);
  });
}

function places(row: Row, name: string, path: string): string[][] {
  return array(row[name], name, path).map((item) => texts(item, name, path));
}

/** What an older version wrote is a member unless it says otherwise. */
function shapeOf(row: Row): LockFile['entries'][number]['shape'] {
  const { shape } = row;
  return shape === 'array' || shape === 'block' ? shape : 'map';
}

function safePath(row: Row, path: string): string {
  return checkPath(textOf(row, 'path', path), path);
}

function checkPath(value: string, path: string): string {
  const problem = pathProblem(value);
  if (problem === undefined) return value;
  throw unusable(path, `has a path that ${problem}`);
}

function unusable(path: string, problem: string, cause?: unknown): CatalogError {
  return new CatalogError('materialize.target_invalid', `The lock ${path} ${problem}.`, {
    details: { path },
    suggested_action:
      'Restore it from version control, or delete it and run `catalog sync --recover`, which rebuilds it from the existing files.',
    cause,
  });
}
