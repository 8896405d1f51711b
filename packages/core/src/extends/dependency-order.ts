/**
 * Visits every node once, after its dependencies. In a cycle, the visitor gets the `path` from the first node to the
 * current one. The next dependency is requested after the previous one was visited. Uses no recursion, so that long
 * chains cannot overflow the call stack.
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
