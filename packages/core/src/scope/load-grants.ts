import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { matchesPin, parsePin, type Pin, type PinCandidate } from '../version/pin.ts';

/** One path a token opens: an id, a whole subtree, or everything. */
interface Grant {
  kind: 'read' | 'load';
  /** Without the trailing `/*`; empty for everything. */
  path: string;
  subtree: boolean;
  pin: Pin;
}

/** What a token's `catalog:` scopes leave of the view (decision 12). */
export type LoadGrants = readonly Grant[];

const PREFIX = 'catalog:';
const GRANT = /^catalog:(read|load):([^@]+)(?:@(.+))?$/;

/**
 * Reads the scopes of a token. Undefined when it carries no `catalog:` scope: then nothing is
 * narrowed. A `catalog:` scope that cannot be read grants nothing and still narrows, so that a
 * mistake never opens more.
 */
export function readLoadGrants(scopes: readonly string[]): LoadGrants | undefined {
  const own = scopes.filter((scope) => scope.startsWith(PREFIX));
  if (own.length === 0) return undefined;
  return own.flatMap((scope) => readGrant(scope) ?? []);
}

/** Whether an artifact may be found: by a read grant or a load grant over its id. */
export function isDiscoverable(grants: LoadGrants | undefined, id: string): boolean {
  return grants === undefined || grants.some((grant) => covers(grant, id));
}

/** Whether this version of an artifact may be loaded: only load grants count, with their pin. */
export function isLoadable(
  grants: LoadGrants | undefined,
  artifact: { id: string } & Pick<PinCandidate, 'version' | 'content_hash'>,
): boolean {
  return (
    grants === undefined ||
    grants.some(
      (grant) =>
        grant.kind === 'load' && covers(grant, artifact.id) && matchesPin(grant.pin, artifact),
    )
  );
}

function readGrant(scope: string): Grant | undefined {
  const match = GRANT.exec(scope);
  const path = match?.[2];
  if (match === null || path === undefined) return undefined;
  const kind = match[1] === 'load' ? 'load' : 'read';
  // A version pin says nothing about finding.
  if (kind === 'read' && match[3] !== undefined) return undefined;
  const pin = readPin(match[3]);
  if (pin === undefined) return undefined;
  if (path === '*') return { kind, path: '', subtree: true, pin };
  const subtree = path.endsWith('/*');
  return { kind, path: subtree ? path.slice(0, -2) : path, subtree, pin };
}

/** A pin of a grant may write `*` for `x`, and alone for any version. */
function readPin(text: string | undefined): Pin | undefined {
  try {
    return parsePin(text === undefined || text === '*' ? '' : text.replaceAll('*', 'x'));
  } catch (error) {
    if (error instanceof CatalogError) return undefined;
    throw error;
  }
}

function covers(grant: Grant, id: string): boolean {
  if (!grant.subtree) return id === grant.path;
  return grant.path === '' || id.startsWith(`${grant.path}/`);
}
