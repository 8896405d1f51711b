import type { Artifact } from '../../artifact/types.ts';
import type { KnownIds } from '../context.ts';

/** Where a link leads. */
export type LinkTarget =
  /** To the web, to the same text, to a file of the package or to an artifact. */
  | { kind: 'found' }
  /** Out of the package. */
  | { kind: 'outside' }
  /** To a path inside the package at which there is nothing, and no artifact of that id. */
  | { kind: 'missing'; path: string };

const FOUND: LinkTarget = { kind: 'found' };
const OUTSIDE: LinkTarget = { kind: 'outside' };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** The paths of one package that a link may name; built only where a link needs them. */
export function packagePaths(artifact: Artifact): Set<string> {
  const paths = new Set<string>();
  if (artifact.manifest !== undefined) paths.add('ARTIFACT.md');
  if (artifact.skill !== undefined) paths.add('SKILL.md');
  for (const { path } of artifact.resources) {
    paths.add(path);
    // A folder is there as soon as something is in it.
    for (let at = path.lastIndexOf('/'); at > 0 && !paths.has(path.slice(0, at));) {
      paths.add(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1);
    }
  }
  return paths;
}

export function findTarget(
  destination: string,
  paths: ReadonlySet<string>,
  knownIds: KnownIds,
): LinkTarget {
  if (paths.has(destination) || /^(?:#|\/\/|$)/.test(destination)) return FOUND;
  const scheme = SCHEME.exec(destination)?.[1];
  // A single letter is a drive, and a file address names the author's own disk.
  if (scheme !== undefined) return scheme.length === 1 || /^file$/i.test(scheme) ? OUTSIDE : FOUND;
  if (/^[\\/]/.test(destination)) return OUTSIDE;
  const path = resolveInside(decodePath(destination.replace(/[?#].*$/s, '')));
  if (path === undefined) return OUTSIDE;
  if (path === '' || paths.has(path)) return FOUND;
  return knownIds.has(path.replace(/@.*$/s, '')) ? FOUND : { kind: 'missing', path };
}

/** The path without `.` and `..`; undefined when it leads out of the package. */
function resolveInside(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]/)) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
