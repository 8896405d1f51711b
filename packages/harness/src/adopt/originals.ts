import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from '../adapter.ts';
import { equalBytes } from '../equal-bytes.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import { planWorkspace } from '../plan.ts';
import type { Plan } from '../planned.ts';
import type { AdoptedCopy, AdoptedObject } from './adopt-files.ts';
import type { FileEntry, FoundFile } from './candidate.ts';
import type { OtherMembers } from './other-members.ts';
import { userText } from './user-content.ts';
import { memberAt, settingsOf, textOf } from './product-text.ts';
import { isLeftOut } from './read-skill.ts';

/** Original that must be removed before catalog installs the artifact made from it. */
export interface Original {
  path: string;
  /** Entries to remove; null for the whole file. */
  entries: string[] | null;
}

export interface OriginalsRequest {
  things: readonly AdoptedObject[];
  artifacts: readonly Artifact[];
  adapters: readonly HarnessAdapter[];
  files: ReadonlyMap<string, FoundFile>;
  unread: readonly string[];
  other_members: readonly OtherMembers[];
}

/**
 * Returns originals that would block a sync to the same folder, or that a product would load in addition to the synced
 * files. Files that a sync would write unchanged are not listed. Files and folders come first.
 */
export function originalsOf(request: OriginalsRequest): Original[] {
  const { things, adapters, artifacts } = request;
  // Each artifact is planned separately, because the sync reports clashing names.
  const plans = artifacts.map((artifact) =>
    planWorkspace(
      adapters.map((adapter) => ({ adapter, artifacts: [artifact] })),
      { on_clash: 'fail' },
    ),
  );
  const given = new Map(
    adapters.map(({ id }, index) => [
      id,
      new Set(
        artifacts
          .filter((artifact, at) => isGiven(artifact, plans[at]?.[index]))
          .map((artifact) => artifact.id),
      ),
    ]),
  );
  const files = plans.flat().flatMap((plan) => plan.files);
  const written = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const copies = things.flatMap(({ id, type, copies: all }) =>
    all
      .filter(({ harnesses }) => harnesses.some((harness) => given.get(harness)?.has(id ?? '')))
      .map((copy) => ({ type, copy })),
  );
  const alone = copies.filter(({ copy }) => copy.entry === null);
  const shared = Map.groupBy(
    copies
      .flatMap(({ copy }) => copy.entry ?? [])
      .filter((entry) => !isEntryUnchanged(entry, request, plans.flat())),
    ({ file }) => file,
  );
  const originals = [
    ...alone.flatMap(({ type, copy }) =>
      type === 'skill' ? skillOf(copy, request, written) : fileOf(copy, request, written),
    ),
    ...[...shared].map(([path, entries]): Original => {
      const members = entries.map(({ member }) => member);
      return { path, entries: holdsMore(path, members.length, request) ? members : null };
    }),
  ];
  const unique = new Map(originals.map((original) => [original.path, original]));
  return [...unique.values()].toSorted(compareOriginals);
}

function compareOriginals(one: Original, other: Original): number {
  const kinds = Number(one.entries !== null) - Number(other.entries !== null);
  if (kinds !== 0) return kinds;
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

/** Returns true if the harness gets the artifact, or reads a rule in another file. */
function isGiven({ id }: Artifact, plan: Plan | undefined): boolean {
  const others = [...(plan?.left_out ?? []), ...(plan?.unsupported ?? [])];
  return !others.some(({ artifact_id }) => artifact_id === id);
}

type Written = ReadonlyMap<string, Uint8Array>;

function isWrittenUnchanged({ path, bytes, link }: FoundFile, written: Written): boolean {
  const planned = written.get(path);
  // A sync does not write through links.
  if (link !== undefined) return false;
  return planned !== undefined && equalBytes(planned, bytes);
}

/** An identical member needs no mark, because the lock records its owner. */
function isEntryUnchanged(
  { file: path, member }: FileEntry,
  { files }: OriginalsRequest,
  plans: readonly Plan[],
): boolean {
  const file = files.get(path);
  const settings = file === undefined ? { values: {} } : settingsOf(file);
  if ('left' in settings) return false;
  return plans
    .flatMap(({ entries }) => entries)
    .filter((planned) => planned.path === path)
    .some(({ entry: { shape, recorded, container, key, value } }) => {
      if (shape !== 'map' || recorded !== 'lock') return false;
      const found = memberAt(settings.values, container)?.[key] ?? null;
      const isMeant = [...container, key].join('.') === member;
      return isMeant && canonicalJson(found) === canonicalJson(value);
    });
}

/** Returns the folder, or its files if some of them were not adopted. */
function skillOf(
  { path }: AdoptedCopy,
  { files, unread }: OriginalsRequest,
  written: Written,
): Original[] {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const inside = [...files.values()].filter((file) => file.path.startsWith(`${folder}/`));
  const taken = inside.filter((file) => !isLeftOut(file.path.slice(folder.length + 1)));
  if (taken.every((file) => isWrittenUnchanged(file, written))) return [];
  const [link] = inside.flatMap((file) => file.link ?? []);
  if (link !== undefined) return [{ path: link, entries: null }];
  const keepsMore =
    taken.length < inside.length || unread.some((one) => one.startsWith(`${folder}/`));
  const paths = keepsMore ? taken.map((file) => file.path) : [folder];
  return paths.map((one) => ({ path: one, entries: null }));
}

const OUTSIDE_OF_MARKS = 'the text outside the marks of catalog';

function fileOf({ path }: AdoptedCopy, { files }: OriginalsRequest, written: Written): Original[] {
  const file = files.get(path);
  if (file === undefined || isWrittenUnchanged(file, written)) return [];
  if (file.link !== undefined) return [{ path: file.link, entries: null }];
  const text = textOf(file.bytes);
  const own = typeof text === 'string' ? userText(text, path) : text;
  const isWhole = typeof text !== 'string' || own === text.replace(/^\uFEFF/, '');
  return [{ path, entries: isWhole ? null : [OUTSIDE_OF_MARKS] }];
}

function holdsMore(
  path: string,
  going: number,
  { things, other_members }: OriginalsRequest,
): boolean {
  const held = things
    .flatMap(({ copies }) => copies)
    .filter((copy) => copy.path === path || copy.path.startsWith(`${path}#`));
  return held.length > going || other_members.some((other) => other.path === path);
}
