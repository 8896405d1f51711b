import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { ChildLimits, DomainNode } from '@catalog/core/domain/domain-reader';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Sql } from '../../shared/sql.ts';
import { countDomains } from './composed-counts.ts';
import { importsAnything } from './import-reads.ts';
import { isHidden, loadUnlisted, type DomainView } from './view.ts';
import type { Queries } from '../../shared/queries.ts';

/**
 * Reads the domains below some paths from one index, in which the rows of all layers of a path are adjacent. `$1` is
 * the tenant, `$2` the view, `$3` its layers with descriptions, `$4` its layers with hidden heads, `$5` the parents.
 */
function nodesSql(which: string): string {
  return `SELECT found.*, shadowed.yes IS NOT NULL AS shadowed, files.*
  FROM unnest($5::text[]) AS named (parent)
  CROSS JOIN LATERAL (SELECT path, bool_or(own) AS has_artifacts, bool_or(below) AS has_children
    FROM domains
    WHERE tenant = $1 AND parent = named.parent AND layer = ANY($2::int[]) AND ${which}) found
  LEFT JOIN LATERAL (SELECT true AS yes FROM domain_overlaps
    WHERE tenant = $1 AND path = found.path AND layer = ANY($4::int[]) AND shadows LIMIT 1) shadowed
    ON true
  CROSS JOIN LATERAL (SELECT count(*) AS files,
      coalesce(bool_or(curated), false) AS curated, coalesce(bool_or(includes), false) AS includes,
      coalesce((array_agg(description ORDER BY array_position($2::int[], layer) DESC)
        FILTER (WHERE description <> ''))[1], '') AS description
    FROM domains WHERE tenant = $1 AND path = found.path AND layer = ANY($3::int[])
      AND description IS NOT NULL) files
  ORDER BY found.path`;
}

const GET_NODE: Sql<NodeRow> = nodesSql('path = $6 GROUP BY path');
const LIST_CHILDREN: Sql<NodeRow> = nodesSql(
  `path > $8 AND path <> ALL($7::text[]) GROUP BY path ORDER BY path LIMIT $6`,
);

interface NodeRow extends DomainNode {
  includes: boolean;
  files: number;
  /** True if a head that listings omit may hide a listed one of a lower layer. */
  shadowed: boolean;
}

export async function getNode(
  queries: Queries,
  view: DomainView,
  path: string,
): Promise<DomainNode | undefined> {
  await loadUnlisted(queries, view, [path]);
  if (isHidden(view, path)) return undefined;
  const key = [...parametersOf(view), [parentPath(path)], path] as const;
  const rows = await queries.rows(GET_NODE, ...key);
  const [node] = await toNodes(queries, view, rows);
  return path === '' ? (node ?? EMPTY_ROOT) : node;
}

const EMPTY_ROOT: DomainNode = {
  path: '',
  description: '',
  curated: false,
  has_artifacts: false,
  has_children: false,
};

const CHILDREN_EXPECTED = 16;

export async function listChildren(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
  { each, all, after = '' }: ChildLimits,
): Promise<DomainNode[]> {
  await loadUnlisted(queries, view, paths);
  const parents = paths.filter((path) => !isHidden(view, path));
  const atOnce = Math.ceil(all / Math.min(each, CHILDREN_EXPECTED));
  const nodes: DomainNode[] = [];
  for (let start = 0; start < parents.length && nodes.length < all; start += atOnce) {
    const some = parents.slice(start, start + atOnce);
    const children = await childrenOf(queries, view, some, { limit: Math.min(each, all), after });
    nodes.push(...some.flatMap((parent) => children.get(parent) ?? []));
  }
  return nodes.slice(0, all);
}

const RETRY_FACTOR = 8;

async function childrenOf(
  queries: Queries,
  view: DomainView,
  parents: readonly string[],
  { limit, after }: { limit: number; after: string },
): Promise<ReadonlyMap<string, DomainNode[]>> {
  const distinct = new Set(parents);
  const hidden = [...view.unlisted].filter((path) => distinct.has(parentPath(path)));
  for (let maxRows = limit; ; maxRows *= RETRY_FACTOR) {
    const rows = await queries.rows(
      LIST_CHILDREN,
      ...parametersOf(view),
      [...distinct],
      Number.isFinite(maxRows) ? maxRows : null,
      hidden,
      after,
    );
    const nodes = await toNodes(queries, view, rows);
    const found = Map.groupBy(rows, ({ path }) => parentPath(path));
    const listed = Map.groupBy(nodes, ({ path }) => parentPath(path));
    const isShort = [...distinct].some(
      (parent) =>
        (found.get(parent)?.length ?? 0) >= maxRows && (listed.get(parent)?.length ?? 0) < limit,
    );
    if (isShort) continue;
    return new Map([...listed].map(([parent, children]) => [parent, children.slice(0, limit)]));
  }
}

type ViewParameters = [number, readonly number[], readonly number[], readonly number[]];

function parametersOf({ tenant, layers, describing, shadowing }: DomainView): ViewParameters {
  return [tenant, layers, describing, shadowing];
}

/** Converts rows to domains. Reads exact counts only if heads are hidden or unlisted. */
async function toNodes(
  queries: Queries,
  view: DomainView,
  rows: readonly NodeRow[],
): Promise<DomainNode[]> {
  const hiding = new Set([...view.unlisted].flatMap(pathAndAbove));
  const doubtful = rows.filter(({ path, shadowed }) => shadowed || hiding.has(path));
  const counts = await countDomains(
    queries,
    view,
    doubtful.map(({ path }) => path),
  );
  const nodes: DomainNode[] = [];
  for (const { path, description, curated, includes, files, ...row } of rows) {
    const counted = counts.get(path);
    if (counted?.is_empty === true) continue;
    nodes.push({
      path,
      description,
      curated: curated || (includes && (await importsAnything(queries, view, path))),
      has_artifacts: counted === undefined ? row.has_artifacts : counted.artifact_count > 0,
      has_children:
        counted === undefined
          ? row.has_children
          : counted.recursive_count > counted.artifact_count || counted.file_count > files,
    });
  }
  return nodes;
}
