/**
 * Uses Tarjan's strongly connected components, and returns the shortest cycle through the first file of
 * each, as a path that ends at its start.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  for (const component of stronglyConnected(graph)) {
    const members = new Set(component);
    const [start] = [...component].sort();
    if (start === undefined) continue;
    const way = shortestWayRound(graph, start, members);
    if (way) cycles.push(way);
  }
  return cycles;
}

function shortestWayRound(
  graph: ReadonlyMap<string, readonly string[]>,
  start: string,
  members: ReadonlySet<string>,
): string[] | undefined {
  const queue: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = queue.shift(); way; way = queue.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start];
      if (!members.has(next) || seen.has(next)) continue;
      seen.add(next);
      queue.push([...way, next]);
    }
  }
  return undefined;
}

function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const components: string[][] = [];
  for (const node of graph.keys()) if (!index.has(node)) connect(node);
  return components;

  function connect(node: string): void {
    const order = index.size;
    index.set(node, order);
    low.set(node, order);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) connect(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== order) return;
    const component = stack.splice(stack.indexOf(node));
    for (const member of component) onStack.delete(member);
    components.push(component);
  }
}
