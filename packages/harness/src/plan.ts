import type { Artifact, RuleFallback } from '@catalog/core/artifact/types';
import { foldPath } from '@catalog/core/artifact/safe-path';
import { parentPath } from '@catalog/core/text/slash-path';
import type { HarnessAdapter, UserSettings } from './adapter.ts';
import { clashError, findClashes, findSkillClashes } from './clashes.ts';
import { findDuplicateHooks } from './find-duplicate-hooks.ts';
import { plainNames, qualifiedNames } from './naming.ts';
import { placeArtifacts, filterArtifacts, type Placed } from './place-artifacts.ts';
import type { FallbackUse, Plan, PlannedEntry, PlannedFile, PlanOptions } from './planned.ts';
import { writeRulesOnce } from './rule-writers.ts';
import { findRulesSeenAsSkills, findDuplicateRules } from './find-duplicate-rules.ts';
import { chooseSkillFolders, type SkillFolders } from './skill-folders.ts';

/** Adapter and artifacts of a target. */
export interface TargetRequest {
  adapter: HarnessAdapter;
  artifacts: readonly Artifact[];
  /**
   * Replacement for unsupported rule modes. If undefined, each rule's own value applies. A rule without one gets `skill`
   * in a workspace with several harnesses, otherwise `always`.
   */
  rule_fallback?: RuleFallback | undefined;
  settings?: UserSettings | undefined;
}

/** Skill folders of targets that are not planned now, such as `.agents/skills/check`, by skill id. */
export type ExistingSkillFolders = ReadonlyMap<string, readonly string[]>;

/**
 * Plans all targets of a workspace together (SPEC-45), so that each harness finds a skill once, and a clashing name is
 * qualified in all targets. A clash of two artifacts rejects the whole plan. Returns the plans in the order of the
 * requests.
 */
export function planWorkspace(
  requests: readonly TargetRequest[],
  options: PlanOptions,
  held: ExistingSkillFolders = new Map(),
): Plan[] {
  const is_shared =
    options.has_other_targets === true || new Set(requests.map(({ adapter }) => adapter)).size > 1;
  const sorted = requests.map(({ adapter, artifacts, rule_fallback, settings }) => ({
    adapter,
    settings,
    ...filterArtifacts(artifacts, adapter, { rule_fallback, is_shared, settings }),
  }));
  const folders = placeSkills(sorted, held);
  const as_skills = rulesAsSkills(requests, sorted);
  const qualified = new Set([...qualifiedAmong(held), ...(options.qualified ?? [])]);
  for (;;) {
    const placed = sorted.map(({ adapter, taken, settings }) =>
      placeArtifacts(taken, adapter, qualified, {
        skillFolder: (id) => folders.get(id)?.folders.get(adapter.id),
        settings,
      }),
    );
    const clashes = [
      ...findClashes(...mergePlaced(placed)),
      ...sorted.flatMap(({ adapter }, index) =>
        findSkillClashes(placed[index]?.files ?? [], adapter),
      ),
    ];
    if (clashes.length === 0) {
      const every = sorted.map((one, index) => ({ ...one, placed: placed[index] ?? NOTHING }));
      const once = writeRulesOnce(every, options.rules_imports);
      const targets = once.map(({ target }) => target);
      return once.map(({ target, warnings }) => {
        const seen = [
          ...warnings,
          ...findDuplicateRules(target, targets),
          ...findRulesSeenAsSkills(target, targets),
          ...findDuplicateHooks(target, targets),
        ];
        return complete(target, seen, { folders, held, qualified });
      });
    }
    const before = qualified.size;
    for (const id of clashes.flatMap(({ artifact_ids }) => artifact_ids)) {
      if (options.on_clash === 'qualify' || as_skills.has(id)) qualified.add(id);
    }
    if (qualified.size === before) {
      throw clashError(clashes, namesOf(requests), options);
    }
  }
}

/**
 * Returns rules that a harness receives as skills. Their authors did not choose the names of skills, so a clash never
 * fails the sync.
 */
function rulesAsSkills(
  requests: readonly TargetRequest[],
  sorted: readonly FilteredTarget[],
): Set<string> {
  const rules = new Set(
    requests.flatMap(({ artifacts }) =>
      artifacts.filter(({ type }) => type === 'rule').map(({ id }) => id),
    ),
  );
  const taken = sorted.flatMap((one) => one.taken);
  return new Set(
    taken.filter(({ id, type }) => type === 'skill' && rules.has(id)).map(({ id }) => id),
  );
}

const NOTHING: Placed = { files: [], entries: [], unsupported: [] };

/** Returns the ids with qualified names: an artifact has one name per workspace. */
function qualifiedAmong(held: ExistingSkillFolders): Set<string> {
  const ids = [...held.keys()].filter((id) =>
    held.get(id)?.some((place) => nameOf(place) === qualifiedNames(id).name),
  );
  return new Set(ids);
}

function nameOf(place: string): string {
  return place.slice(parentPath(place).length + 1);
}

function namesOf(requests: readonly TargetRequest[]): string {
  return [...new Set(requests.map(({ adapter }) => adapter.id))].join(', ');
}

interface FilteredTarget {
  adapter: HarnessAdapter;
  taken: readonly Artifact[];
}

/** Places skills; those for the same harnesses share a decision. */
function placeSkills(
  sorted: readonly FilteredTarget[],
  held: ExistingSkillFolders,
): Map<string, SkillFolders> {
  const readers = new Map<string, HarnessAdapter[]>();
  for (const { adapter, taken } of sorted) {
    if (adapter.skill_folders.length === 0) continue;
    for (const { id, type } of taken) {
      if (type !== 'skill') continue;
      const others = readers.get(id);
      if (others === undefined) readers.set(id, [adapter]);
      else others.push(adapter);
    }
  }
  const decided = new Map<string, SkillFolders>();
  const folders = new Map<string, SkillFolders>();
  for (const [id, adapters] of readers) {
    const lying = (held.get(id) ?? []).map(parentPath);
    const key = JSON.stringify([adapters.map((adapter) => adapter.id), lying]);
    const known =
      decided.get(key) ?? chooseSkillFolders(adapters, lying, otherAdapters(adapters, sorted));
    decided.set(key, known);
    folders.set(id, known);
  }
  return folders;
}

function otherAdapters(
  adapters: readonly HarnessAdapter[],
  sorted: readonly FilteredTarget[],
): HarnessAdapter[] {
  const ids = new Set(adapters.map(({ id }) => id));
  return sorted.map(({ adapter }) => adapter).filter(({ id }) => !ids.has(id));
}

/** Merges the files of several targets; one at the same path counts once. */
function mergePlaced(placed: readonly Placed[]): [PlannedFile[], PlannedEntry[]] {
  const [only, ...others] = placed;
  if (only !== undefined && others.length === 0) return [only.files, only.entries];
  const files = new Map<string, PlannedFile>();
  const entries = new Map<string, PlannedEntry>();
  for (const one of placed) {
    // A path that occurs twice in one target shows that an artifact clashes with itself.
    const seen = new Set<string>();
    for (const file of one.files) {
      const key = uniqueKey(seen, `${file.artifact_id}\0${foldPath(file.path)}`);
      if (!files.has(key)) files.set(key, file);
    }
    for (const planned of one.entries) {
      const { container, key: name } = planned.entry;
      const place = JSON.stringify([planned.artifact_id, planned.path, container, name]);
      const key = uniqueKey(seen, place);
      if (!entries.has(key)) entries.set(key, planned);
    }
  }
  return [[...files.values()], [...entries.values()]];
}

function uniqueKey(seen: Set<string>, key: string): string {
  let unique = key;
  while (seen.has(unique)) unique += '\0again';
  seen.add(unique);
  return unique;
}

interface SkillPlaces {
  folders: ReadonlyMap<string, SkillFolders>;
  held: ExistingSkillFolders;
  qualified: ReadonlySet<string>;
}

function complete(
  { adapter, plan, placed }: { adapter: HarnessAdapter; plan: Plan; placed: Placed },
  rules: readonly FallbackUse[],
  places: SkillPlaces,
): Plan {
  const { files, entries, unsupported } = placed;
  const repeated = [...places.folders.keys()].flatMap((artifact_id) => {
    const reason = repeatedReason(artifact_id, adapter, places);
    return reason === undefined ? [] : [{ artifact_id, capability: SKILL, reason }];
  });
  return {
    ...plan,
    files,
    entries,
    unsupported: [...plan.unsupported, ...unsupported],
    fallbacks: [...plan.fallbacks, ...repeated, ...rules],
  };
}

const SKILL = 'type:skill' as const;

function repeatedReason(
  id: string,
  adapter: HarnessAdapter,
  { folders, held, qualified }: SkillPlaces,
): string | undefined {
  const decision = folders.get(id);
  const folder = decision?.folders.get(adapter.id);
  if (decision === undefined || folder === undefined) return undefined;
  const seen = decision.repeated.get(adapter.id);
  if (seen !== undefined) {
    return `${adapter.id} loads it twice, from ${seen.join(' and ')}, because no folder is read by each harness of this workspace only once`;
  }
  const { name } = qualified.has(id) ? qualifiedNames(id) : plainNames(id);
  const other = held
    .get(id)
    ?.find((place) => parentPath(place) === folder && nameOf(place) !== name);
  if (other === undefined) return undefined;
  return `${adapter.id} loads it twice, from ${folder}/${name} and ${other}, until you sync the target that still uses the other name`;
}

/** Plans the artifacts of a single harness. */
export function planArtifacts(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  options: PlanOptions,
): Plan {
  const [plan] = planWorkspace([{ adapter, artifacts }], options);
  if (plan === undefined) throw new Error('one request makes one plan');
  return plan;
}
