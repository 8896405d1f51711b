import type { Node } from 'oxc-parser';

/** `ancestors` ends with the parent and is reused between calls. */
export function walk(root: Node, visit: (node: Node, ancestors: readonly Node[]) => void): void {
  const ancestors: Node[] = [];
  descend(root);

  function descend(node: Node): void {
    visit(node, ancestors);
    ancestors.push(node);
    for (const value of Object.values(node)) {
      if (isNode(value)) descend(value);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) descend(item);
    }
    ancestors.pop();
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
