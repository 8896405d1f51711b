import type { DomainNode, DomainReader } from './domain-reader.ts';
import { parentPath } from '../text/slash-path.ts';

export interface Level {
  nodes: DomainNode[];
  collapsed: number;
}

export async function collapseChains(
  reader: DomainReader,
  nodes: readonly DomainNode[],
): Promise<Level> {
  const shown = [...nodes];
  let collapsed = 0;
  let open = [...shown.entries()].filter(([, node]) => mayBePassThrough(node));
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
      if (mayBePassThrough(only)) next.push([index, only]);
    }
    open = next;
  }
  return { nodes: shown, collapsed };
}

/** Returns true for a domain without content of its own that has children. It may be merged with an only child. */
export function mayBePassThrough({ has_artifacts, curated, has_children }: DomainNode): boolean {
  return !has_artifacts && !curated && has_children;
}
