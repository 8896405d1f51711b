import { isArtifactId } from '../artifact/reference.ts';

/**
 * Restriction by an OAuth scope `catalog:read:<path>` or `catalog:load:<path>[@pin]`. A path that ends with `/*` is a
 * subtree, and `*` is everything (SPEC-12). Both kinds make an artifact visible; only `load` allows loading it.
 */
export interface LoadGrant {
  kind: 'read' | 'load';
  /** An id, or the root of a subtree; empty for everything. */
  path: string;
  subtree: boolean;
  /** Versions that may be loaded; empty for all. */
  pin: string;
}

const PREFIX = 'catalog:';
const GRANT = /^catalog:(?<kind>read|load):(?<path>[^@]+)(?:@(?<pin>.*))?$/;
/** Version numbers, each of which may be `x` or `*`, or an exact version. */
const PIN = /^(?:\d+|[x*])(?:\.(?:\d+|[x*])){0,2}$|^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * Parses the scopes of a token. Returns undefined if none starts with `catalog:`, so that there is no restriction. A
 * malformed `catalog:` scope grants nothing but still restricts, so that a mistake never extends access.
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
