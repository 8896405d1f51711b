/**
 * Visits every node once, after the nodes it depends on. In a circle there is no such order: there
 * the visit comes while a dependency is still open, and `path` leads from the first node of the walk
 * to the one that is visited, so that the visit can see the circle. A next dependency is asked for
 * only when the one before has been visited, or is open.
 *
 * The walk keeps its own stack: a chain of ten thousand is somebody's mistake, not a crash.
 */
export function visitInDependencyOrder<Node>(
  nodes: Iterable<Node>,
  dependenciesOf: (node: Node) => Iterable<Node>,
  visit: (node: Node, path: readonly Node[]) => void,
): void {
  const started = new Set<Node>();
  const path: Node[] = [];
  const waiting: Iterator<Node>[] = [];

  function start(node: Node): void {
    started.add(node);
    path.push(node);
    waiting.push(dependenciesOf(node)[Symbol.iterator]());
  }

  for (const root of nodes) {
    if (!started.has(root)) start(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const dependency = waiting.at(-1)?.next();
      if (dependency?.done === false) {
        if (!started.has(dependency.value)) start(dependency.value);
        continue;
      }
      visit(node, path);
      path.pop();
      waiting.pop();
    }
  }
}
