import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from './adapter.ts';
import type { Placed } from './place-artifacts.ts';
import type { FallbackUse } from './planned.ts';

interface Target {
  adapter: HarnessAdapter;
  taken: readonly Artifact[];
  placed: Placed;
}

/** What a product does with an artifact it finds twice; servers and commands are known by their names. */
const TWICE: Readonly<Record<string, string>> = { rule: 'reads it twice', hook: 'runs it twice' };

/**
 * Returns the rules and hooks of one target that its product also finds in the files of another target:
 * a folder of files such as `.claude/rules`, or the entries of `.claude/settings.json`.
 */
export function seenElsewhere(target: Target, all: readonly Target[]): FallbackUse[] {
  const { adapter, taken } = target;
  const others = all.filter((other) => other !== target);
  return (adapter.also_reads ?? []).flatMap(({ path }) => {
    const there = new Set(others.flatMap(({ placed }) => idsAt(path, placed)));
    return taken.flatMap((artifact) => {
      const what = TWICE[artifact.type];
      const [capability] = capabilitiesUsed(artifact);
      if (what === undefined || capability === undefined || !there.has(artifact.id)) return [];
      const reason = `${adapter.id} ${what}, because it also reads ${path}, where another harness of this workspace has it`;
      return [{ artifact_id: artifact.id, capability, reason }];
    });
  });
}

function idsAt(path: string, { files, entries }: Placed): string[] {
  const below = files.filter((file) => file.path.startsWith(`${path}/`));
  const within = entries.filter(({ path: at, entry }) => at === path && entry.shape === 'array');
  return [...below, ...within].map(({ artifact_id }) => artifact_id);
}
