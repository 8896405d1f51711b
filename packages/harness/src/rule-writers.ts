import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Capability, HarnessAdapter } from './adapter.ts';
import type { Placed } from './place-artifacts.ts';
import type { FallbackUse, PlannedEntry, PlanOptions } from './planned.ts';

export interface PlacedTarget {
  adapter: HarnessAdapter;
  taken: readonly Artifact[];
  placed: Placed;
}

/** Rules file that most products read, directly or by an import. */
export const COMMON_RULES = 'AGENTS.md';

/** Import in a file of the same folder; a form for one product may follow. */
const IMPORT = `@${COMMON_RULES}`;

type RulesImports = NonNullable<PlanOptions['rules_imports']>;

interface DeduplicatedTarget<T extends PlacedTarget> {
  target: T;
  warnings: FallbackUse[];
}

/**
 * Removes rules and context that a product also reads in AGENTS.md because of another target. Adds the import for a
 * product that only imports AGENTS.md.
 */
export function writeRulesOnce<T extends PlacedTarget>(
  targets: readonly T[],
  imports: RulesImports = new Map(),
): DeduplicatedTarget<T>[] {
  const common = blocksOf(COMMON_RULES, targets);
  return targets.map((target) => {
    const way = commonRulesEntries(target, targets, imports);
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

/** Returns the entries for a product; undefined if it does not read AGENTS.md. */
type CommonRulesEntries = (placed: Placed, repeated: ReadonlySet<string>) => PlannedEntry[];

function commonRulesEntries(
  { adapter }: PlacedTarget,
  targets: readonly PlacedTarget[],
  imports: RulesImports,
): CommonRulesEntries | undefined {
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

/** Returns the import, one block for all rules, recorded with the first of them. */
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

/** Returns rules and context in AGENTS.md that the target does not write there itself. */
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

/** Returns rules that the product could limit to files but now always loads. */
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
