import type { DomainNode, DomainReader } from './domain-reader.ts';
import { parentPath } from '../text/slash-path.ts';

/** The domains of one level, and how many were left out because they only lead to a shown one. */
export interface Level {
  nodes: DomainNode[];
  collapsed: number;
}

/** Replaces every domain of a level that only leads on by the one it leads to. */
export async function collapseChains(
  reader: DomainReader,
  nodes: readonly DomainNode[],
): Promise<Level> {
  const shown = [...nodes];
  let collapsed = 0;
  let open = [...shown.entries()].filter(([, node]) => mayLeadOn(node));
  while (open.length > 0) {
    const paths = open.map(([, { path }]) => path);
    const children = await reader.listChildren(paths, { each: 2, all: 2 * paths.length });
    const below = Map.groupBy(children, ({ path }) => parentPath(path));
    const next: typeof open = [];
    for (const [index, { path }] of open) {
      const [only, another] = below.get(path) ?? [];
      if (only === undefined || another !== undefined) continue;
      shown[index] = only;
      collapsed += 1;
      if (mayLeadOn(only)) next.push([index, only]);
    }
    open = next;
  }
  return { nodes: shown, collapsed };
}

/** Nothing of its own and nobody has said anything about it: if it has one child, it only leads there. */
export function mayLeadOn({ has_artifacts, curated, has_children }: DomainNode): boolean {
  return !has_artifacts && !curated && has_children;
}
