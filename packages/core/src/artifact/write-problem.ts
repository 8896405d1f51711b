import { reservedName } from './reserved-names.ts';
import { pathProblem } from './safe-path.ts';

/**
 * Why catalog writes somewhere. `target`: a directory that artifacts are delivered to. `deliver`: a file
 * of an artifact below it. `settings`: a file that configures catalog. `author`: an artifact of a
 * registry directory or of the overlay.
 */
export type WritePurpose = 'target' | 'deliver' | 'settings' | 'author';

const OWN_DIRECTORY = '.catalog';

/** What each purpose may write in a `.catalog` directory: of a target, or of a plugin in a marketplace. */
const ALLOWED: Readonly<Record<WritePurpose, ReadonlySet<string>>> = {
  target: new Set(),
  deliver: new Set(['context', 'resources', 'hooks']),
  settings: new Set(['sync.yaml', 'sync.local.yaml', '.gitignore']),
  author: new Set(['overlay']),
};

/** Separators of every system: a backslash is one on Windows. */
const SEPARATOR = /[/\\]/;

/** Matches every path that may have a reserved name, so that nearly all paths pass with one native call. */
const MAY_BE_RESERVED = /(?:^|[/\\])\.(?:git|hg|svn|jj|catalog)|[~\u0080-\uffff]/i;

/** Matches every name that can be reserved. */
const CANDIDATES = /(?<=^|[/\\])(?:\.|[^/\\]*?[~\u0080-\uffff])[^/\\]*/g;

/**
 * Returns what keeps catalog from writing or deleting a path below a directory it writes to, as a phrase
 * that follows the path, or undefined if nothing does (ADR-0072). Every path that a plan, a lock, a
 * journal or an undo record names passes here.
 */
export function writeProblem(path: string, purpose: WritePurpose): string | undefined {
  return pathProblem(path) ?? reservedProblem(path, purpose);
}

/**
 * Returns the same for a path of the user, in which every name that the file system accepts may occur.
 * The path is relative to the workspace, or absolute if it is outside of the workspace.
 */
export function reservedProblem(path: string, purpose: WritePurpose): string | undefined {
  if (!MAY_BE_RESERVED.test(path)) return undefined;
  let below: string | undefined;
  for (const { 0: name, index } of path.matchAll(CANDIDATES)) {
    const found = reservedName(name);
    if (found === undefined) continue;
    if (found !== OWN_DIRECTORY) return inVersionControl(name, found);
    if (below !== undefined || name !== OWN_DIRECTORY) return OWN_FILES;
    below = path.slice(index + name.length + 1);
  }
  if (below === undefined) return undefined;
  const [member = ''] = below.split(SEPARATOR, 1);
  return ALLOWED[purpose].has(member) ? undefined : OWN_FILES;
}

const OWN_FILES = `is inside ${OWN_DIRECTORY}, which is reserved for catalog's own files`;

function inVersionControl(name: string, found: string): string {
  const shown = name === found ? name : `${name} (another spelling of ${found})`;
  return `is inside ${shown}, which belongs to version control`;
}
