import type { Artifact } from '../../artifact/types.ts';
import type { KnownIds } from '../context.ts';

export type LinkTarget =
  | { kind: 'found' }
  | { kind: 'outside' }
  /** A path that does not exist in the package and is not an artifact id. */
  | { kind: 'missing'; path: string };

const FOUND: LinkTarget = { kind: 'found' };
const OUTSIDE: LinkTarget = { kind: 'outside' };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

export function packagePaths(artifact: Artifact): Set<string> {
  const paths = new Set<string>();
  if (artifact.manifest !== undefined) paths.add('ARTIFACT.md');
  if (artifact.skill !== undefined) paths.add('SKILL.md');
  for (const { path } of artifact.resources) {
    paths.add(path);
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
  // A single letter is a drive, and a file URL refers to the disk of the author.
  if (scheme !== undefined) return scheme.length === 1 || /^file$/i.test(scheme) ? OUTSIDE : FOUND;
  if (/^[\\/]/.test(destination)) return OUTSIDE;
  const path = resolveInside(decodePath(destination.replace(/[?#].*$/s, '')));
  if (path === undefined) return OUTSIDE;
  if (path === '' || paths.has(path)) return FOUND;
  return knownIds.has(path.replace(/@.*$/s, '')) ? FOUND : { kind: 'missing', path };
}

/** Resolves a path in the package; undefined if it leads outside. */
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
