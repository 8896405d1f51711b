import type { HarnessAdapter } from './adapter.ts';

/** Where a skill goes so that every harness that takes it sees it once (SPEC-69). */
export interface SkillFolders {
  /** By adapter id. */
  folders: ReadonlyMap<string, string>;
  /** Adapters that cannot but see it more than once, with the folders they see it in. */
  repeated: ReadonlyMap<string, readonly string[]>;
}

type Reader = Pick<HarnessAdapter, 'id' | 'skill_folders' | 'deduplicates_skills'>;

/**
 * Chooses a folder for each reader among those its product reads, as few as possible, such that each
 * reads exactly one of all that are used, and as few as possible of `others`, who shall not have the
 * skill, any. `held` are folders in which the skill lies already, for harnesses that are not part of
 * this run. If there is no such choice, readers that deduplicate skills may read several of them, and
 * the others that see it more than once are named.
 */
export function chooseSkillFolders(
  readers: readonly Reader[],
  held: readonly string[] = [],
  others: readonly Reader[] = [],
): SkillFolders {
  // The reader with the fewest folders decides first: it leaves the others no choice anyway.
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

/** The best set of folders of which every reader reads one and the strict ones no more; undefined if there is none. */
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

/** Seen by fewer who shall not have it; then smaller. */
function isBetter(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  others: readonly Reader[],
): boolean {
  const seers = (used: ReadonlySet<string>): number =>
    others.filter((reader) => seenBy(reader, used) > 0).length;
  return seers(one) - seers(other) < 0 || (seers(one) === seers(other) && one.size < other.size);
}

function seenBy({ skill_folders }: Reader, used: ReadonlySet<string>): number {
  return skill_folders.filter((folder) => used.has(folder)).length;
}

/** Folders by which every reader sees the skill at least once, each its own where it sees none yet. */
function findAny(readers: readonly Reader[], held: ReadonlySet<string>): ReadonlySet<string> {
  const used = new Set(held);
  for (const { skill_folders } of readers) {
    const [own] = skill_folders;
    if (own !== undefined && !skill_folders.some((folder) => used.has(folder))) used.add(own);
  }
  return used;
}
