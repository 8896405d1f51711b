import { ancestorPaths } from '../../domain/domain-path.ts';
import type { Domain } from '../../domain/read-domain.ts';
import { atDomain, type Finding } from '../finding.ts';
import type { DomainImport } from './domain-imports.ts';

type Edges = ReadonlyMap<string, DomainImport>;

/** Reports domains that import each other, also through others. A domain and its subdomain are not a cycle. */
export function importCycles(
  imports: ReadonlyMap<Domain, readonly DomainImport[]>,
): { domain: Domain; finding: Finding }[] {
  const paths = new Set([...imports.keys()].map(({ path }) => path));
  const edges = new Map(
    [...imports].map(([domain, list]) => [domain, edgesOf(domain, list, paths)]),
  );
  const graph = joinLayers(edges);
  return [...edges].flatMap(([domain, own]) => {
    const [to, by] = [...own].find(([to]) => leadsTo(to, domain.path, graph)) ?? [];
    if (to === undefined || by === undefined) return [];
    const finding: Finding = {
      code: 'lint.domain_import_cycle',
      message: `${domain.path} imports from ${to}, which imports from it again.`,
      place: atDomain(domain, 'include', by.index),
    };
    return [{ domain, finding }];
  });
}

function edgesOf(
  { path }: Domain,
  imports: readonly DomainImport[],
  paths: ReadonlySet<string>,
): Edges {
  const edges = new Map<string, DomainImport>();
  for (const by of imports) {
    for (const to of new Set(by.ids.flatMap(ancestorPaths))) {
      if (paths.has(to) && !isNested(to, path) && !edges.has(to)) edges.set(to, by);
    }
  }
  return edges;
}

/** Joins the imports of all layers, because several may have a file for the same path. */
function joinLayers(edges: ReadonlyMap<Domain, Edges>): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [{ path }, own] of edges) {
    graph.set(path, new Set([...(graph.get(path) ?? []), ...own.keys()]));
  }
  return graph;
}

function leadsTo(
  from: string,
  goal: string,
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  // Iteration over a Set includes elements that are added during the iteration.
  const reached = new Set([from]);
  for (const path of reached) {
    if (path === goal) return true;
    for (const to of graph.get(path) ?? []) reached.add(to);
  }
  return false;
}

function isNested(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
