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
  let shown = [...nodes];
  let collapsed = 0;
  for (;;) {
    const leading = shown.filter(leadsOn).map(({ path }) => path);
    if (leading.length === 0) return { nodes: shown, collapsed };
    const next = await reader.listChildren(leading, leading.length);
    // A reader's counts may be a moment older than its lists.
    if (next.length === 0) return { nodes: shown, collapsed };
    collapsed += next.length;
    const only = new Map(next.map((node) => [parentPath(node.path), node]));
    shown = shown.map((node) => only.get(node.path) ?? node);
  }
}

/** Nothing of its own, one domain below it, and nobody has said anything about it. */
function leadsOn(node: DomainNode): boolean {
  const { domain, artifact_count, child_count, import_count } = node;
  if (artifact_count > 0 || child_count !== 1 || import_count > 0) return false;
  return (
    domain === undefined ||
    (domain.description === '' && domain.body === '' && domain.keywords.length === 0)
  );
}
