import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { relative, sep } from 'node:path';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { reasonOf } from '@catalog/core/node/read-entry';
import type { FoundFile } from '@catalog/harness/adopt/candidate';
import type { WorkspacePaths } from '@catalog/harness/adopt/list-paths-to-read';

/** Path that was not read, with the reason as a phrase that follows it. */
export interface SkippedPath {
  path: string;
  reason: string;
}

export interface WorkspaceReading {
  files: Map<string, FoundFile>;
  passed_over: SkippedPath[];
}

/** Limits of a read, far above a real configuration: the folder of another program can contain anything. */
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_DEPTH = 16;
const IS_LINK = 'is a link, which is not followed';
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** `O_NONBLOCK` prevents waiting if a pipe replaced the file; `O_NOFOLLOW` prevents following a link. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a workspace whose files may be hostile: links are not opened, and the amount is limited. */
export class WorkspaceReader {
  readonly #root: string;
  readonly #reading: WorkspaceReading = { files: new Map(), passed_over: [] };
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  read({ folders, files }: WorkspacePaths): WorkspaceReading {
    for (const folder of folders) if (this.isReached(folder)) this.#walk(folder, 0);
    for (const file of files) if (this.isReached(file)) this.#take(file);
    return this.#reading;
  }

  /** Reads a file; undefined if it is missing or must not be read. */
  find(path: string): FoundFile | undefined {
    if (this.isReached(path)) this.#take(path);
    return this.#reading.files.get(path);
  }

  /** Adds the files behind links to other harness folders of the workspace, under the paths of the links. */
  followLinks(places: WorkspacePaths): void {
    const { files, passed_over } = this.#reading;
    const isPlace = (path: string): boolean =>
      places.files.includes(path) || places.folders.some((folder) => isBelow(path, folder));
    for (const { path: link } of passed_over.filter(({ reason }) => reason === IS_LINK)) {
      const target = this.#targetOf(link);
      if (target === undefined || !isPlace(target) || isInSameFolder(link, target, places))
        continue;
      if (!files.has(target)) {
        const isFolder = lstatSync(`${this.#root}/${target}`).isDirectory();
        this.read(isFolder ? { folders: [target], files: [] } : { folders: [], files: [target] });
      }
      const behind = [...files.values()].filter(
        (file) => file.link === undefined && isBelow(file.path, target),
      );
      if (behind.length === 0 || files.size + behind.length > MAX_FILES) continue;
      for (const file of behind) {
        const path = link + file.path.slice(target.length);
        files.set(path, { ...file, path, link });
      }
      passed_over.splice(
        passed_over.findIndex(({ path }) => path === link),
        1,
      );
    }
  }

  #targetOf(link: string): string | undefined {
    try {
      const target = relative(realpathSync(this.#root), realpathSync(`${this.#root}/${link}`));
      const path = target.split(sep).join('/');
      return path === '' || path.startsWith('..') || pathProblem(path) !== undefined
        ? undefined
        : path;
    } catch {
      return undefined;
    }
  }

  isReached(path: string): boolean {
    if (pathProblem(path) !== undefined) return false;
    const segments = path.split('/');
    for (let length = 1; length <= segments.length; length += 1) {
      const part = segments.slice(0, length).join('/');
      const stats = lstatSync(`${this.#root}/${part}`, { throwIfNoEntry: false });
      if (stats === undefined) return false;
      if (stats.isSymbolicLink()) {
        this.#pass(part, IS_LINK);
        return false;
      }
    }
    return true;
  }

  #walk(folder: string, depth: number): void {
    if (depth === MAX_DEPTH) {
      this.#pass(folder, `is nested more than ${MAX_DEPTH} folders deep`);
      return;
    }
    for (const entry of this.#list(folder)) {
      const path = `${folder}/${entry.name}`;
      const problem = pathProblem(path);
      if (problem !== undefined) this.#pass(path, problem);
      else if (entry.isDirectory()) {
        if (NOT_ENTERED.has(entry.name)) this.#pass(path, 'is not a folder that users edit');
        else this.#walk(path, depth + 1);
      } else if (entry.isSymbolicLink()) this.#pass(path, IS_LINK);
      else this.#take(path);
    }
  }

  #list(folder: string) {
    try {
      return readdirSync(`${this.#root}/${folder}`, { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    } catch (cause) {
      // A file in place of a folder is not reported.
      const isFile = cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR';
      if (!isFile) this.#pass(folder, reasonOf(cause));
      return [];
    }
  }

  #take(path: string): void {
    const { files } = this.#reading;
    if (files.has(path)) return;
    if (files.size >= MAX_FILES) {
      this.#pass(path, `exceeds the limit of ${MAX_FILES} files`);
      return;
    }
    const reason = this.#readFile(path);
    if (reason !== undefined) this.#pass(path, reason);
  }

  #readFile(path: string): string | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(`${this.#root}/${path}`, OPEN_FLAGS);
    } catch (cause) {
      return reasonOf(cause);
    }
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return stats.isDirectory() ? undefined : 'is not a regular file';
      if (stats.nlink > 1) return 'is a hard link (one file with several names)';
      if (stats.size > MAX_FILE_BYTES || this.#bytes + stats.size > MAX_BYTES) {
        return 'is too large';
      }
      this.#bytes += stats.size;
      this.#reading.files.set(path, {
        path,
        bytes: readFileSync(descriptor),
        executable: (stats.mode & 0o100) !== 0,
        changed_at: stats.mtimeMs,
      });
      return undefined;
    } catch (cause) {
      return reasonOf(cause);
    } finally {
      closeSync(descriptor);
    }
  }

  #pass(path: string, reason: string): void {
    const { passed_over } = this.#reading;
    if (!passed_over.some((one) => one.path === path)) passed_over.push({ path, reason });
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns true if a link and its target are in the same folder, so that no other harness reads the copy. */
function isInSameFolder(link: string, target: string, { folders }: WorkspacePaths): boolean {
  return (
    isBelow(link, target) ||
    folders.some((folder) => isBelow(link, folder) && isBelow(target, folder))
  );
}
