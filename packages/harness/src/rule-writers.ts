import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Capability, HarnessAdapter } from './adapter.ts';
import type { Placed } from './place-artifacts.ts';
import type { FallbackUse, PlannedEntry, PlanOptions } from './planned.ts';

/** What one target of a workspace is given. */
export interface PlacedTarget {
  adapter: HarnessAdapter;
  taken: readonly Artifact[];
  placed: Placed;
}

/** The rules file that most products read, directly or through an import. */
export const COMMON_RULES = 'AGENTS.md';

/** The text that imports it into a file of the same folder; a form of one product may follow. */
const IMPORT = `@${COMMON_RULES}`;

type RulesImports = NonNullable<PlanOptions['rules_imports']>;

/** A target without the rules its product reads in AGENTS.md, and what that changes for them. */
interface OnceWritten<T extends PlacedTarget> {
  target: T;
  warnings: FallbackUse[];
}

/**
 * Removes from each target the rules and context pointers that its product reads in AGENTS.md, because
 * another target has them there. A product that only imports AGENTS.md is given the import instead.
 */
export function writeRulesOnce<T extends PlacedTarget>(
  targets: readonly T[],
  imports: RulesImports = new Map(),
): OnceWritten<T>[] {
  const common = blocksOf(COMMON_RULES, targets);
  return targets.map((target) => {
    const way = wayToCommonRules(target, targets, imports);
    const repeated = way === undefined ? new Set<string>() : repeatedIn(target, common);
    if (repeated.size === 0) return { target, warnings: [] };
    const { files, entries } = target.placed;
    const isKept = ({ artifact_id }: { artifact_id: string }): boolean =>
      !repeated.has(artifact_id);
    const placed: Placed = {
      ...target.placed,
      files: files.filter(isKept),
      entries: [...entries.filter(isKept), ...(way?.(target.placed, repeated) ?? [])],
    };
    return { target: { ...target, placed }, warnings: lostScopes(target, repeated) };
  });
}

/** Returns the entries with which a product reads AGENTS.md; undefined if it does not read it. */
type WayToCommonRules = (placed: Placed, repeated: ReadonlySet<string>) => PlannedEntry[];

function wayToCommonRules(
  { adapter }: PlacedTarget,
  targets: readonly PlacedTarget[],
  imports: RulesImports,
): WayToCommonRules | undefined {
  const { also_reads = [], rules_import } = adapter;
  if (also_reads.some(({ path }) => path === COMMON_RULES)) return () => [];
  if (rules_import === undefined) return undefined;
  const { path, reads_without, private_form } = rules_import;
  const isReadByOthers = targets.some(({ adapter: other }) =>
    other.also_reads?.some((read) => read.path === path),
  );
  const state = imports.get(path);
  if (state === 'own' || (reads_without !== true && !isReadByOthers)) return undefined;
  return state === 'linked'
    ? () => []
    : (placed, repeated) => {
        const text = isReadByOthers ? (private_form ?? IMPORT) : IMPORT;
        return importEntries({ path, text }, placed, repeated);
      };
}

/** One block for all of the rules, recorded as that of the first. */
function importEntries(
  { path, text }: { path: string; text: string },
  { files, entries }: Placed,
  repeated: ReadonlySet<string>,
): PlannedEntry[] {
  const first = [...files, ...entries].find(({ artifact_id }) => repeated.has(artifact_id));
  if (first === undefined) return [];
  const { artifact_id, version, layer, content_hash } = first;
  const entry = {
    shape: 'block',
    container: [],
    key: artifact_id,
    artifact_id,
    value: text,
    recorded: 'file',
  } as const;
  return [{ path, entry, artifact_id, version, layer, content_hash }];
}

/** The ids of the rules and context artifacts of a target that AGENTS.md has, unless it writes them there. */
function repeatedIn({ taken, placed }: PlacedTarget, common: Blocks): Set<string> {
  const own = new Set(
    placed.entries
      .filter(({ path }) => path === COMMON_RULES)
      .map(({ artifact_id }) => artifact_id),
  );
  const ids = taken
    .filter(({ type }) => type === 'rule' || type === 'context')
    .map(({ id }) => id)
    .filter((id) => common.has(id) && !own.has(id));
  return new Set(ids);
}

/** Warns of rules that the product could load for some files, and now loads for all. */
function lostScopes(
  { adapter, taken }: PlacedTarget,
  repeated: ReadonlySet<string>,
): FallbackUse[] {
  return [...modesOf(taken)]
    .filter(([id, mode]) => repeated.has(id) && mode !== 'rule_mode:always')
    .filter(([, mode]) => adapter.fallbacks[mode] === undefined)
    .map(([artifact_id, capability]) => ({
      artifact_id,
      capability,
      reason: `${adapter.id} always loads it, from AGENTS.md, because another harness of this workspace cannot limit it to some files; \`rule_fallback: skill\` keeps the limit`,
    }));
}

/** Returns the mode of each rule, by its id. */
export function modesOf(taken: readonly Artifact[]): Map<string, Capability> {
  const rules = taken.filter(({ type }) => type === 'rule');
  return new Map(
    rules.flatMap((rule) =>
      capabilitiesUsed(rule)
        .slice(0, 1)
        .map((mode) => [rule.id, mode]),
    ),
  );
}

type Blocks = ReadonlyMap<string, string>;

export function isRuleBlock({ entry: { shape, value } }: PlannedEntry): boolean {
  return shape === 'block' && typeof value === 'string' && !isImport(value);
}

function isImport(text: string): boolean {
  return text.startsWith(IMPORT) && !/\s/.test(text);
}

/** Returns the text of each rule in a file that rules share, by artifact id. */
export function blocksOf(path: string, all: readonly PlacedTarget[]): Blocks {
  const blocks = new Map<string, string>();
  for (const { placed } of all) {
    for (const planned of placed.entries) {
      const { value } = planned.entry;
      if (planned.path !== path || !isRuleBlock(planned) || typeof value !== 'string') continue;
      blocks.set(planned.artifact_id, value);
    }
  }
  return blocks;
}
