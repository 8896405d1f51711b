import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { isMissing } from '@catalog/core/node/is-missing';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { observeTarget } from '../sync/observe-target.ts';

export interface EditableFile {
  path: string;
  text: string | undefined;
  /** Mode of the file, which an edit keeps. */
  mode: number;
  /** Why the file must not be replaced, as a sentence. */
  problem: string | undefined;
}

const NEW_FILE_MODE = 0o644;
const WRITABLE = 0o222;

/** Reads a file, and checks that replacing it would change only its content. */
export function readEditableFile(path: string, workspace: string): EditableFile {
  refuseDirectory(path, workspace, 'settings');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const bytes = readBytes(path);
  const text = bytes?.toString('utf8');
  return {
    path,
    text,
    mode: stats === undefined ? NEW_FILE_MODE : stats.mode & 0o777,
    problem:
      linkProblem(path, workspace) ??
      (stats === undefined ? undefined : fileProblem(stats)) ??
      (bytes === undefined || bytes.equals(Buffer.from(text ?? '')) ? undefined : NOT_UTF8),
  };
}

const NOT_UTF8 = 'it is not valid UTF-8.';

function readBytes(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, MAX_TEXT_BYTES);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns a problem for a link, which an edit would replace or follow out of the workspace. */
function linkProblem(path: string, workspace: string): string | undefined {
  const inside = relative(workspace, path);
  const [folder, name] = inside.startsWith('..')
    ? [dirname(path), basename(path)]
    : [workspace, inside];
  const observed = observeTarget(folder, new Map(), new Set())(name);
  return observed.kind === 'other' ? `it is ${observed.what}.` : undefined;
}

function fileProblem({ mode, nlink }: Stats): string | undefined {
  if (nlink > 1) return 'it is a hard link, and its other name would keep the old content.';
  return (mode & WRITABLE) === 0 ? 'it is read-only.' : undefined;
}
