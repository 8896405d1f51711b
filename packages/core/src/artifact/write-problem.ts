import { reservedName } from './reserved-names.ts';
import { pathProblem } from './safe-path.ts';

/**
 * Reason for writing a file. `target`: a directory that artifacts are delivered to. `deliver`: a file of an artifact.
 * `settings`: a configuration file of catalog. `author`: an artifact in a registry directory or in the overlay.
 */
export type WritePurpose = 'target' | 'deliver' | 'settings' | 'author';

const OWN_DIRECTORY = '.catalog';

/** Entries of a `.catalog` directory that may be written, by purpose. */
const ALLOWED: Readonly<Record<WritePurpose, ReadonlySet<string>>> = {
  target: new Set(),
  deliver: new Set(['context', 'resources', 'hooks']),
  settings: new Set(['sync.yaml', 'sync.local.yaml', '.gitignore']),
  author: new Set(['overlay']),
};

const SEPARATOR = /[/\\]/;

/** Matches paths that may contain a reserved name. One native call accepts nearly all other paths. */
const MAY_BE_RESERVED = /(?:^|[/\\])\.(?:git|hg|svn|jj|catalog)|[~\u0080-\uffff]/i;

const CANDIDATES = /(?<=^|[/\\])(?:\.|[^/\\]*?[~\u0080-\uffff])[^/\\]*/g;

/**
 * Returns why catalog must not write or delete a path below a target directory (ADR-0072), as a phrase that follows the
 * path; undefined if allowed. Every path in a plan, lock, journal or undo record is checked.
 */
export function writeProblem(path: string, purpose: WritePurpose): string | undefined {
  return pathProblem(path) ?? reservedProblem(path, purpose);
}

/**
 * Checks a path that the user chose like `writeProblem`, but allows any characters. The path is relative to the
 * workspace, or absolute.
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
