import { encodeText } from './place/encode-text.ts';
import type { FallbackUse } from './planned.ts';
import { blocksOf, isRuleBlock, modesOf, type PlacedTarget } from './rule-writers.ts';

/**
 * Returns rules that a product reads in several files of the workspace, and the rule that exceeds the size limit of its
 * file.
 */
export function findDuplicateRules(
  target: PlacedTarget,
  all: readonly PlacedTarget[],
): FallbackUse[] {
  return [...seenTwice(target, all), ...cutOff(target, all)];
}

function seenTwice(target: PlacedTarget, all: readonly PlacedTarget[]): FallbackUse[] {
  const { adapter, taken } = target;
  const { also_reads = [] } = adapter;
  const modes = modesOf(taken);
  if (also_reads.length === 0 || modes.size === 0) return [];
  const places = new Map([...modes.keys()].map((id) => [id, new Set<string>()]));
  for (const one of all) {
    for (const { artifact_id, path } of ruleFiles(one)) {
      const isRead = also_reads.some(
        (read) => path === read.path || path.startsWith(`${read.path}/`),
      );
      if (one === target || isRead) places.get(artifact_id)?.add(path);
    }
  }
  return [...modes].flatMap(([artifact_id, capability]) => {
    const files = [...(places.get(artifact_id) ?? [])];
    if (files.length < 2) return [];
    const times = files.length === 2 ? 'twice' : `${files.length} times`;
    const reason = `${adapter.id} loads it ${times}, from ${files.join(' and ')}, because other harnesses of this workspace have their rules there`;
    return [{ artifact_id, capability, reason }];
  });
}

/**
 * Returns rules that a product also finds as skills, because another harness of the workspace does not support their
 * mode.
 */
export function findRulesSeenAsSkills(
  target: PlacedTarget,
  all: readonly PlacedTarget[],
): FallbackUse[] {
  const { adapter, taken, placed } = target;
  const skills = all.filter((other) => other !== target).map(skillFiles);
  if (skills.length === 0) return [];
  const files = new Map(placed.files.map(({ artifact_id, path }) => [artifact_id, path]));
  return [...modesOf(taken)].flatMap(([artifact_id, capability]) => {
    const own = files.get(artifact_id);
    const skill = skills
      .flatMap((others) => others.get(artifact_id) ?? [])
      .find(({ path }) => isInAny(adapter.skill_folders, path));
    if (own === undefined || skill === undefined) return [];
    const reason = `${adapter.id} loads it as a rule, from ${own}, and lists it as a skill, from ${skill.path}, because another harness of this workspace reads skills there and does not support the mode of the rule`;
    return [{ artifact_id, capability, reason }];
  });
}

function skillFiles({ taken, placed }: PlacedTarget): Map<string, PlacedTarget['placed']['files']> {
  const ids = new Set(taken.filter(({ type }) => type === 'skill').map(({ id }) => id));
  return Map.groupBy(
    placed.files.filter(({ artifact_id }) => ids.has(artifact_id)),
    ({ artifact_id }) => artifact_id,
  );
}

function isInAny(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

/** Returns the files with rules, including blocks in shared files, without imports. */
function ruleFiles({
  placed: { files, entries },
}: PlacedTarget): { artifact_id: string; path: string }[] {
  return [...files, ...entries.filter(isRuleBlock)];
}

/** Returns the rule at which the blocks of all targets exceed the limit. */
function cutOff({ adapter, taken }: PlacedTarget, all: readonly PlacedTarget[]): FallbackUse[] {
  const { rules_limit: limit } = adapter;
  if (limit === undefined) return [];
  const modes = modesOf(taken);
  let bytes = 0;
  for (const [artifact_id, text] of blocksOf(limit.path, all)) {
    bytes += encodeText(text).length;
    const capability = modes.get(artifact_id);
    if (bytes <= limit.bytes || capability === undefined) continue;
    const reason = `${adapter.id} reads the first ${limit.bytes / 1024} KiB of ${limit.path}, and with this rule catalog alone writes more, so the end of the file is not seen`;
    return [{ artifact_id, capability, reason }];
  }
  return [];
}
