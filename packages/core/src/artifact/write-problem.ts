import { reservedName } from './reserved-names.ts';
import { pathProblem } from './safe-path.ts';

/**
 * Reason for a write. `target`: a directory that artifacts are delivered to. `deliver`: an
 * artifact's file below a target. `settings`: a configuration file of catalog. `author`: an
 * artifact in a registry directory or in the overlay.
 */
export type WritePurpose = 'target' | 'deliver' | 'settings' | 'author';

const OWN_DIRECTORY = '.catalog';

/**
 * Entries that each purpose may write in the `.catalog` directory of a target, or of a plugin in a
 * marketplace.
 */
const ALLOWED: Readonly<Record<WritePurpose, ReadonlySet<string>>> = {
  target: new Set(),
  deliver: new Set(['context', 'resources', 'hooks']),
  settings: new Set(['sync.yaml', 'sync.local.yaml', '.gitignore']),
  author: new Set(['overlay']),
};

const SEPARATOR = /[/\\]/;

/** Matches every path that may have a reserved name, so that nearly all paths pass with one native call. */
const MAY_BE_RESERVED = /(?:^|[/\\])\.(?:git|hg|svn|jj|catalog)|[~\u0080-\uffff]/i;

const CANDIDATES = /(?<=^|[/\\])(?:\.|[^/\\]*?[~\u0080-\uffff])[^/\\]*/g;

/**
 * Returns the reason why catalog must not write or delete a path below a target directory, as a
 * phrase that follows the path, or undefined if it may (ADR-0072). Every path in a plan, a lock, a
 * journal or an undo record is checked here.
 */
export function writeProblem(path: string, purpose: WritePurpose): string | undefined {
  return pathProblem(path) ?? reservedProblem(path, purpose);
}

/**
 * Returns the same for a user's path, which may contain any name that the file system accepts. The
 * path is relative to the workspace, or absolute if it is outside of the workspace.
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
