import { isArtifactId } from '@catalog/core/artifact/reference';
import type { HarnessAdapter, ManagedEntry } from './adapter.ts';
import { marketplacePlaces } from './marketplace/owned-places.ts';
import { plainNames, qualifiedNames } from './naming.ts';
import type { OwnedPlace } from './owned-place.ts';
import { fillTemplate } from './place/template.ts';
import { adapters } from './registry.ts';

export interface WrittenClaim {
  path: string;
  id: string;
  /** Entry; absent for a whole file. */
  entry?: Pick<ManagedEntry, 'shape' | 'container' | 'key'>;
}

export interface ClaimedTarget {
  /** Harness as in the lock: one name, or several with commas for a marketplace. */
  harness: string;
  marketplace: boolean;
}

/** Whether a place belongs to catalog; `unknown` for a harness without an installed adapter. */
export type Ownership = 'owned' | 'not-owned' | 'unknown';

/**
 * Returns whether a destination of the harness, in any scope and release, has this path for the id (ADR-0072). It does
 * not prove that catalog wrote the file.
 */
export function ownsPath(
  claim: WrittenClaim,
  target: ClaimedTarget,
  known: ReadonlyMap<string, HarnessAdapter> = adapters,
): Ownership {
  return openOwnership(target, known)(claim);
}

export function openOwnership(
  { harness, marketplace }: ClaimedTarget,
  known: ReadonlyMap<string, HarnessAdapter> = adapters,
): (claim: WrittenClaim) => Ownership {
  const found = marketplace
    ? marketplacePlaces(harness.split(','), known)
    : workspacePlaces(known.get(harness));
  if (found === undefined) return () => 'unknown';
  const places = found.map((place) => ({ place, start: place.path.split('{', 1)[0] ?? '' }));
  return (claim) => {
    const names = namesOf(claim.id);
    const isOwned =
      names !== undefined &&
      places.some(({ place, start }) => claim.path.startsWith(start) && isAt(claim, place, names));
    return isOwned ? 'owned' : 'not-owned';
  };
}

function workspacePlaces(adapter: HarnessAdapter | undefined): OwnedPlace[] | undefined {
  if (adapter === undefined) return undefined;
  const { user, user_on } = adapter;
  const all = [adapter, user, user_on?.darwin, user_on?.win32];
  return all.flatMap((one) => one?.ownedPlaces() ?? []);
}

interface Names {
  id: string;
  /** Names of the artifact; none for a document. */
  names: readonly string[];
}

/** Ids of documents of a marketplace in the lock. */
const DOCUMENT_ID = /^(?:plugin|marketplace):[^/]+$/;
/** Names of artifacts never start with a dot (`place-artifacts.ts`). */
const HIDDEN = /(?:^|\/)\./;

function namesOf(id: string): Names | undefined {
  if (DOCUMENT_ID.test(id)) return { id, names: [] };
  if (!isArtifactId(id) || HIDDEN.test(id)) return undefined;
  const names = [plainNames(id), qualifiedNames(id)].flatMap(({ name, prefix }) => [
    name,
    `${prefix}context-${name.slice(prefix.length)}`,
  ]);
  return { id, names: [...new Set(names)] };
}

function isAt({ path, entry }: WrittenClaim, place: OwnedPlace, names: Names): boolean {
  const isThere = fills(place.path, names).some((filled) =>
    place.into === 'folder' ? isBelow(path, filled) : isSamePath(path, filled),
  );
  if (!isThere) return false;
  if (entry === undefined) {
    const isDocument = names.names.length === 0;
    return isDocument
      ? place.into === 'document'
      : place.into === 'file' || place.into === 'folder';
  }
  if (entry.shape === 'block') {
    return place.into === 'block' && entry.container.length === 0 && entry.key === names.id;
  }
  return place.into === 'entry' && isEntryAt(entry, place, names);
}

function isEntryAt(
  { container, key }: NonNullable<WrittenClaim['entry']>,
  place: Extract<OwnedPlace, { into: 'entry' }>,
  names: Names,
): boolean {
  const isOne = (value: string, template: string): boolean =>
    template === ANY || fills(template, names).includes(value);
  return (
    container.length === place.container.length &&
    container.every((part, position) => isOne(part, place.container[position] ?? '')) &&
    isOne(key, place.key)
  );
}

const ANY = '{any}';
/** Replaces `{any}` in a filled template, because an id can contain `{any}`. */
const ANY_SEGMENT = '\0';

function fills(template: string, { id, names }: Names): string[] {
  const marked = template.replaceAll(ANY, ANY_SEGMENT);
  if (!template.includes('{name}')) return [fillTemplate(marked, { name: '', id })];
  return names.map((name) => fillTemplate(marked, { name, id }));
}

/** Compares paths; `{any}` matches one segment. */
function isSamePath(path: string, filled: string): boolean {
  if (!filled.includes(ANY_SEGMENT)) return path === filled;
  const segments = path.split('/');
  const wanted = filled.split('/');
  return (
    segments.length === wanted.length &&
    wanted.every((part, position) => part === ANY_SEGMENT || part === segments[position])
  );
}

function isBelow(path: string, folder: string): boolean {
  const depth = folder.split('/').length;
  const segments = path.split('/');
  return segments.length > depth && isSamePath(segments.slice(0, depth).join('/'), folder);
}
