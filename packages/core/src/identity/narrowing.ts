import { compareBytes } from '../artifact/compare-bytes.ts';
import type { LoadGrant } from './load-grants.ts';

/** A part of the catalogue that the grants let somebody discover. */
export interface GrantedPart {
  /** An id, or the path of a domain; empty is the root. */
  path: string;
  /** Everything below the path; else the one artifact. */
  subtree: boolean;
}

/** What the grants of a token leave of a view (SPEC-12). */
export interface Narrowing {
  /** None lies in another; by path. */
  parts: readonly GrantedPart[];
  /** Equal for callers whose views are narrowed alike. */
  key: string;
  discovers: (id: string) => boolean;
  loads: (id: string, version: string) => boolean;
  /** Whether everything in a domain may be discovered. */
  holds: (domain: string) => boolean;
  /** Whether a domain lies above something that may be discovered. */
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

/** The parts of the grants at a path and below it, each no larger than both. */
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

/** Whether something lies below a path; the root lies above everything but itself. */
function isBelow(path: string, other: string): boolean {
  return path === '' ? other !== '' : other.startsWith(`${path}/`);
}

/** Number by number; `x` and `*` stand for any, and so does what is left out. */
function matchesPin(pin: string, version: string): boolean {
  if (pin === '') return true;
  const numbers = splitVersion(version);
  const wanted = splitVersion(pin);
  return wanted.every((part, at) => part === 'x' || part === '*' || part === numbers[at]);
}

/** Major, minor, and the rest. */
function splitVersion(version: string): string[] {
  const [major = '', minor, ...rest] = version.split('.');
  return [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ];
}
