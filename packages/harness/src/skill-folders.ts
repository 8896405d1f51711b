import type { HarnessAdapter } from './adapter.ts';

/** Folders of a skill, so that every harness that receives the skill finds it once (SPEC-69). */
export interface SkillFolders {
  folders: ReadonlyMap<string, string>;
  /** Adapters that find the skill in several folders, which cannot be avoided. */
  repeated: ReadonlyMap<string, readonly string[]>;
}

type Reader = Pick<HarnessAdapter, 'id' | 'skill_folders' | 'deduplicates_skills'>;

/**
 * Chooses the folders of a skill. Each reader must find exactly one. Few `others`, which must not receive the skill,
 * should find it, in few folders. `held` are folders that already contain it. If there is no such choice, readers that
 * handle repeated skills may find several folders, and the result lists other readers with repeated ones.
 */
export function chooseSkillFolders(
  readers: readonly Reader[],
  held: readonly string[] = [],
  others: readonly Reader[] = [],
): SkillFolders {
  // The reader with the fewest folders limits the choice most.
  const order = readers.toSorted((a, b) => a.skill_folders.length - b.skill_folders.length);
  const strict = readers.filter(({ deduplicates_skills }) => deduplicates_skills === undefined);
  const start = new Set(held);
  const used =
    findExact(order, order, start, others) ??
    findExact(order, strict, start, others) ??
    findAny(order, start);
  const seen = new Map(
    readers.map(({ id, skill_folders }) => [
      id,
      skill_folders.filter((folder) => used.has(folder)),
    ]),
  );
  return {
    folders: new Map([...seen].map(([id, folders]) => [id, folders[0] ?? ''])),
    repeated: new Map(
      strict.flatMap(({ id }) => {
        const folders = seen.get(id) ?? [];
        return folders.length > 1 ? [[id, folders]] : [];
      }),
    ),
  };
}

/**
 * Returns folders of which every reader finds at least one, and strict readers exactly one; undefined if there are
 * none.
 */
function findExact(
  readers: readonly Reader[],
  strict: readonly Reader[],
  used: ReadonlySet<string>,
  others: readonly Reader[],
): ReadonlySet<string> | undefined {
  if (strict.some((reader) => seenBy(reader, used) > 1)) return undefined;
  const reader = readers.find((each) => seenBy(each, used) === 0);
  if (reader === undefined) return used;
  let best: ReadonlySet<string> | undefined;
  for (const folder of reader.skill_folders) {
    const found = findExact(readers, strict, new Set([...used, folder]), others);
    if (found !== undefined && (best === undefined || isBetter(found, best, others))) best = found;
  }
  return best;
}

/** Compares choices by the number of other harnesses that find the skill, then by the number of folders. */
function isBetter(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  others: readonly Reader[],
): boolean {
  const countReaders = (used: ReadonlySet<string>): number =>
    others.filter((reader) => seenBy(reader, used) > 0).length;
  return (
    countReaders(one) - countReaders(other) < 0 ||
    (countReaders(one) === countReaders(other) && one.size < other.size)
  );
}

function seenBy({ skill_folders }: Reader, used: ReadonlySet<string>): number {
  return skill_folders.filter((folder) => used.has(folder)).length;
}

/** Adds the own folder of each reader that finds no skill. */
function findAny(readers: readonly Reader[], held: ReadonlySet<string>): ReadonlySet<string> {
  const used = new Set(held);
  for (const { skill_folders } of readers) {
    const [own] = skill_folders;
    if (own !== undefined && !skill_folders.some((folder) => used.has(folder))) used.add(own);
  }
  return used;
}
