import { relative, resolve } from 'node:path';
import type { Config } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import type { LockFile } from '../lock/types.ts';
import { observeTarget } from './observe-target.ts';

/** Why a path exists; for an artifact, one target that has it. */
export interface Reason {
  artifact_id: string;
  version: string;
  layer: string;
  content_hash: string;
  target: string;
  harness: string;
  registry: string;
  at?: string[];
  /** True if the user already had the content, which is not managed. */
  pre_existing?: true;
  paths?: string[];
}

export interface Explanation {
  /** Path relative to `directory`, or the id of an artifact. */
  path: string;
  directory: string;
  state:
    | 'as written'
    | 'edited since'
    | 'missing'
    | 'shared with you'
    | 'already there'
    | 'an artifact'
    | 'not written by catalog';
  reasons: Reason[];
}

/**
 * Explains which artifact a file or entry comes from. If the path is not managed but the id of an artifact, lists its
 * files.
 */
export function explainPath(config: Config, cwd: string, path: string): Explanation {
  const absolute = resolve(cwd, path);
  const directories = new Set([
    ...[...config.targets, ...config.marketplaces].map((target) => target.directory),
    config.workspace,
  ]);
  let nearestDirectory = config.workspace;
  for (const directory of directories) {
    const inside = relative(directory, absolute);
    if (inside.startsWith('..')) continue;
    nearestDirectory = directory;
    const explanation = explainIn(directory, inside);
    if (explanation.reasons.length > 0) return explanation;
  }
  for (const directory of directories) {
    const reasons = deliveriesOf(loadLock(directory), path);
    if (reasons.length > 0) return { path, directory, state: 'an artifact', reasons };
  }
  return {
    path: relative(nearestDirectory, absolute),
    directory: nearestDirectory,
    state: 'not written by catalog',
    reasons: [],
  };
}

function explainIn(directory: string, path: string): Explanation {
  const lock = loadLock(directory);
  const files = lock.files.filter((row) => row.path === path || row.path.startsWith(`${path}/`));
  const entries = lock.entries.filter((row) => row.path === path);
  const pre_existing_rows = lock.pre_existing.filter(
    (row) => row.path === path || (row.at === undefined && row.path.startsWith(`${path}/`)),
  );
  // For a folder, each artifact with files in it is listed once.
  const owners = new Map(files.map((row) => [`${row.target}\0${row.id}`, row]));
  const reasons = [
    ...[...owners.values()].map((row) => reasonFor(lock, row)),
    ...entries.map((row) => ({ ...reasonFor(lock, row), at: [...row.container, row.key] })),
    ...pre_existing_rows.map((row) => ({
      ...reasonFor(lock, row),
      ...(row.at === undefined ? {} : { at: row.at }),
      pre_existing: true as const,
    })),
  ];
  const written = stateOf(directory, files, entries.length);
  const state =
    written === 'not written by catalog' && pre_existing_rows.length > 0
      ? 'already there'
      : written;
  return { path, directory, state, reasons };
}

function deliveriesOf(lock: LockFile, id: string): Reason[] {
  const paths = [...lock.files, ...lock.entries, ...lock.pre_existing].filter(
    (row) => row.id === id,
  );
  return lock.artifacts
    .filter((row) => row.id === id)
    .map(({ target }) => {
      const own = paths.filter((row) => row.target === target).map((row) => row.path);
      return { ...reasonFor(lock, { id, target }), paths: [...new Set(own)].sort() };
    });
}

function reasonFor(lock: LockFile, { id, target }: { id: string; target: string }): Reason {
  const artifact = lock.artifacts.find((row) => row.id === id && row.target === target);
  const from = lock.targets.find((row) => row.id === target);
  return {
    artifact_id: id,
    version: artifact?.version ?? '',
    layer: artifact?.layer ?? '',
    content_hash: artifact?.content_hash ?? '',
    target,
    harness: from?.harness ?? '',
    registry: from?.registry ?? '',
  };
}

function stateOf(
  directory: string,
  files: LockFile['files'],
  entries: number,
): Explanation['state'] {
  if (files.length === 0) return entries > 0 ? 'shared with you' : 'not written by catalog';
  const observe = observeTarget(directory, new Map(), new Set());
  const states = files.map((row) => {
    const observed = observe(row.path);
    if (observed.kind !== 'file') return 'missing';
    return observed.hash === row.hash ? 'as written' : 'edited since';
  });
  return states.find((state) => state !== 'as written') ?? 'as written';
}
