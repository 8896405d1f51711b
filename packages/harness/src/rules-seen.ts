import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Capability, HarnessAdapter } from './adapter.ts';
import { encodeText } from './place/encode-text.ts';
import type { Placed } from './place-artifacts.ts';
import type { FallbackUse } from './planned.ts';

/** What one target of a workspace is given. */
interface Target {
  adapter: HarnessAdapter;
  taken: readonly Artifact[];
  placed: Placed;
}

/**
 * The rules of one target that its product sees more than once, because another target has them in a
 * file it reads as well, and the one from which on it sees no more.
 */
export function rulesSeen(target: Target, all: readonly Target[]): FallbackUse[] {
  const { also_reads = [], rules_limit } = target.adapter;
  if (also_reads.length === 0 && rules_limit === undefined) return [];
  const modes = modesOf(target.taken);
  return [...seenTwice(target, all, modes), ...cutOff(target, all, modes)];
}

/** The one file of rules that a product reads in all of its programs, if it reads it at all. */
const COMMON_RULES = 'AGENTS.md';

/**
 * What a target is given without the rules that its product already reads in AGENTS.md, because
 * another target has them there: an `always` rule is the same there, and so is a pointer to a context
 * artifact. If AGENTS.md is read under a condition, the rule must be there when the condition ends.
 */
export function withoutRepeatedRules(
  { adapter, taken, placed }: Target,
  all: readonly Target[],
): Placed {
  const read = (adapter.also_reads ?? []).filter(
    ({ path, unless }) => path === COMMON_RULES && unless === undefined,
  );
  const there = new Set(read.flatMap(({ path }) => [...blocksOf(path, all).keys()]));
  if (there.size === 0) return placed;
  const modes = modesOf(taken);
  const contexts = new Set(taken.filter(({ type }) => type === 'context').map(({ id }) => id));
  const isRepeated = (id: string): boolean =>
    there.has(id) && (contexts.has(id) || modes.get(id) === 'rule_mode:always');
  const files = placed.files.filter(({ artifact_id }) => !isRepeated(artifact_id));
  return { ...placed, files };
}

type Modes = ReadonlyMap<string, Capability>;

/** The mode of each rule, by its id. */
function modesOf(taken: readonly Artifact[]): Modes {
  const rules = taken.filter(({ type }) => type === 'rule');
  return new Map(
    rules.flatMap((rule) =>
      capabilitiesUsed(rule)
        .slice(0, 1)
        .map((mode) => [rule.id, mode]),
    ),
  );
}

function seenTwice(
  { adapter, placed }: Target,
  all: readonly Target[],
  modes: Modes,
): FallbackUse[] {
  const { also_reads = [] } = adapter;
  return also_reads.flatMap(({ path, unless }) => {
    const there = blocksOf(path, all);
    return placed.files.flatMap(({ artifact_id, path: own }) => {
      const capability = modes.get(artifact_id);
      if (capability === undefined || !there.has(artifact_id)) return [];
      const when = unless === undefined ? '' : ` unless ${unless} exists`;
      const always = capability === 'rule_mode:always' ? '' : ', which is loaded always';
      const reason = `${adapter.id} reads it twice${when}, in ${own} and ${path}${always}, because another harness of this workspace has its rules there`;
      return [{ artifact_id, capability, reason }];
    });
  });
}

/** The rule with which the blocks of all targets outgrow what the product reads. */
function cutOff({ adapter }: Target, all: readonly Target[], modes: Modes): FallbackUse[] {
  const { rules_limit: limit } = adapter;
  if (limit === undefined) return [];
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

/** The blocks of a file by the artifacts they are, each once. */
function blocksOf(path: string, all: readonly Target[]): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const { placed } of all) {
    for (const planned of placed.entries) {
      const { shape, value } = planned.entry;
      if (planned.path === path && shape === 'block' && typeof value === 'string') {
        blocks.set(planned.artifact_id, value);
      }
    }
  }
  return blocks;
}
