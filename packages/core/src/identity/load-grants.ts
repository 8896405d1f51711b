import { isArtifactId } from '../artifact/reference.ts';

/**
 * What a token narrows a view to: one of its OAuth scopes `catalog:read:<path>` or
 * `catalog:load:<path>[@pin]`, where a path that ends in `/*` is a subtree and `*` is everything
 * (SPEC-12). Both make an artifact discoverable; only `load` lets it be loaded.
 */
export interface LoadGrant {
  kind: 'read' | 'load';
  /** An id, or the path above a subtree; empty is everything. */
  path: string;
  subtree: boolean;
  /** The versions that may be loaded; empty is every one. */
  pin: string;
}

const PREFIX = 'catalog:';
const GRANT = /^catalog:(?<kind>read|load):(?<path>[^@]+)(?:@(?<pin>.*))?$/;
/** Numbers, of which each may be `x` or `*`, and an exact version with all that may follow it. */
const PIN = /^(?:\d+|[x*])(?:\.(?:\d+|[x*])){0,2}$|^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * Reads the scopes of a token. Undefined where none begins with `catalog:`: then nothing is narrowed.
 * One that does and cannot be read grants nothing and still narrows, so that a mistake, or a scope of
 * a later release, never opens more.
 */
export function parseLoadGrants(scopes: readonly string[]): LoadGrant[] | undefined {
  const own = scopes.filter((scope) => scope.startsWith(PREFIX));
  if (own.length === 0) return undefined;
  return own.flatMap((scope) => parseGrant(scope) ?? []);
}

function parseGrant(scope: string): LoadGrant | undefined {
  const { kind, path = '', pin = '' } = GRANT.exec(scope)?.groups ?? {};
  if (kind !== 'read' && kind !== 'load') return undefined;
  if (scope.includes('@') && !(kind === 'load' && PIN.test(pin))) return undefined;
  if (path === '*') return { kind, path: '', subtree: true, pin };
  const subtree = path.endsWith('/*');
  const named = subtree ? path.slice(0, -2) : path;
  return isArtifactId(named) ? { kind, path: named, subtree, pin } : undefined;
}
