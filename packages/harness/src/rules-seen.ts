import { encodeText } from './place/encode-text.ts';
import type { FallbackUse } from './planned.ts';
import { blocksOf, isRuleBlock, modesOf, type PlacedTarget } from './rule-writers.ts';

/**
 * Returns the rules of one target that its product reads in several files of the workspace, and the
 * rule from which on it reads no more of its file.
 */
export function rulesSeen(target: PlacedTarget, all: readonly PlacedTarget[]): FallbackUse[] {
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
    const reason = `${adapter.id} reads it ${times}, in ${files.join(' and ')}, because other harnesses of this workspace have their rules there`;
    return [{ artifact_id, capability, reason }];
  });
}

/** Returns every file of a target and every block of a file that rules share. An import is neither. */
function ruleFiles({
  placed: { files, entries },
}: PlacedTarget): { artifact_id: string; path: string }[] {
  return [...files, ...entries.filter(isRuleBlock)];
}

/** Returns the rule with which the blocks of all targets exceed what the product reads. */
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
