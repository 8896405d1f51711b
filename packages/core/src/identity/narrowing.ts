import { compareBytes } from '../artifact/compare-bytes.ts';
import type { LoadGrant } from './load-grants.ts';

export interface GrantedPart {
  /** An id, or the path of a domain; empty for the root. */
  path: string;
  /** True for everything below the path, false for the artifact itself. */
  subtree: boolean;
}

/** Parts of a view that a token covers (SPEC-12). */
export interface Narrowing {
  /** Disjoint parts, ordered by path. */
  parts: readonly GrantedPart[];
  /** Key that is equal for callers with equal restrictions. */
  key: string;
  discovers: (id: string) => boolean;
  loads: (id: string, version: string) => boolean;
  holds: (domain: string) => boolean;
  leadsOn: (domain: string) => boolean;
}

export function narrow(grants: readonly LoadGrant[]): Narrowing {
  const parts = withoutCovered(grants);
  const loads = grants.filter(({ kind }) => kind === 'load');
  return {
    parts,
    key: JSON.stringify(grants),
    discovers: (id) => parts.some((part) => includes(part, id)),
    loads: (id, version) =>
      loads.some((grant) => includes(grant, id) && matchesPin(grant.pin, version)),
    holds: (domain) =>
      parts.some(({ path, subtree }) => subtree && (domain === path || isBelow(path, domain))),
    leadsOn: (domain) => parts.some(({ path }) => path !== domain && isBelow(domain, path)),
  };
}

/** Returns the covered parts at or below a path. */
export function partsWithin(parts: readonly GrantedPart[], scope: string): GrantedPart[] {
  return parts.flatMap((part) => {
    if (scope === '' || part.path === scope || isBelow(scope, part.path)) return [part];
    if (!part.subtree || !isBelow(part.path, scope)) return [];
    return [
      { path: scope, subtree: false },
      { path: scope, subtree: true },
    ];
  });
}

function withoutCovered(grants: readonly LoadGrant[]): GrantedPart[] {
  const parts = new Map(
    grants.map(({ path, subtree }) => [`${path}\0${String(subtree)}`, { path, subtree }]),
  );
  const subtrees = [...parts.values()].filter(({ subtree }) => subtree);
  return [...parts.values()]
    .filter(({ path, subtree }) => subtree || path !== '')
    .filter(({ path }) => !subtrees.some((outer) => isBelow(outer.path, path)))
    .sort((a, b) => compareBytes(a.path, b.path) || Number(a.subtree) - Number(b.subtree));
}

export function includes({ path, subtree }: GrantedPart, id: string): boolean {
  return subtree ? isBelow(path, id) : id === path;
}

/** Returns true if `other` is below `path`. Every path is below the root. */
function isBelow(path: string, other: string): boolean {
  return path === '' ? other !== '' : other.startsWith(`${path}/`);
}

function matchesPin(pin: string, version: string): boolean {
  if (pin === '') return true;
  const numbers = splitVersion(version);
  const wanted = splitVersion(pin);
  return wanted.every((part, at) => part === 'x' || part === '*' || part === numbers[at]);
}

function splitVersion(version: string): string[] {
  const [major = '', minor, ...rest] = version.split('.');
  return [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ];
}
