import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Placed } from './place-artifacts.ts';
import type { FallbackUse } from './planned.ts';
import type { PlacedTarget } from './rule-writers.ts';

/**
 * Returns hooks that a product also finds in settings of another, such as `.claude/settings.json`. Servers and commands with the same name cause no duplicates.
 */
export function findDuplicateHooks(
  target: PlacedTarget,
  all: readonly PlacedTarget[],
): FallbackUse[] {
  const { adapter, taken } = target;
  const others = all.filter((other) => other !== target);
  return (adapter.also_reads ?? []).flatMap(({ path, in: program, opt_in }) => {
    const there = new Set(others.flatMap(({ placed }) => idsAt(path, placed)));
    return taken.flatMap((artifact) => {
      const [capability] = capabilitiesUsed(artifact);
      if (artifact.type !== 'hook' || capability === undefined || !there.has(artifact.id))
        return [];
      const where = program === undefined ? '' : ` in ${program}`;
      const when = opt_in === undefined ? '' : ` if ${opt_in}`;
      const reason = `${adapter.id} runs it twice${where}${when}, because it also reads ${path}, where another harness of this workspace has it`;
      return [{ artifact_id: artifact.id, capability, reason }];
    });
  });
}

function idsAt(path: string, { entries }: Placed): string[] {
  return entries
    .filter(({ path: at, entry }) => at === path && entry.shape === 'array')
    .map(({ artifact_id }) => artifact_id);
}
