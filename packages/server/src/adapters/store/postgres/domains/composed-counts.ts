import type { DomainCounts } from '@catalog/core/domain/domain-reader';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { isHidden, loadUnlisted, unlistedBelow, type DomainView } from './view.ts';
import type { Queries } from '../../shared/queries.ts';

/**
 * Counts the visible artifacts below each path of a view (`$2`): the sum over its layers, minus duplicates of an id.
 * Unlisted domains are subtracted: `$3` to `$5` are paths, the path to which each one counts, and the sign.
 */
const COUNT: Sql<Omit<ComposedCounts, 'is_empty'>> = `WITH named AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::int[]) AS n (path, of_path, sign)),
  shared AS MATERIALIZED (
    SELECT n.path, n.of_path, n.sign, o.sharing, o.artifact_count, o.recursive_count FROM named n
    CROSS JOIN LATERAL (SELECT DISTINCT sharing, artifact_count, recursive_count
      FROM domain_overlaps
      WHERE tenant = $1 AND path = n.path AND layer = ANY($2::int[])) o),
  surplus AS MATERIALIZED (
    SELECT found.sharing, h.heads FROM (SELECT DISTINCT sharing FROM shared) found
    JOIN domain_sharings s ON s.tenant = $1 AND s.sharing = found.sharing
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE holder > 0) -
        coalesce((array_agg((holder > 0)::int ORDER BY rank DESC))[1], 0) AS heads
      FROM (SELECT holder, array_position($2::int[], abs(holder)) AS rank
            FROM unnest(s.holders) AS holder) held WHERE rank IS NOT NULL) h),
  counts AS (
    SELECT n.path, n.of_path, n.sign, d.artifact_count, d.recursive_count, d.file_count FROM named n
    CROSS JOIN LATERAL (SELECT artifact_count, recursive_count, file_count FROM domains
      WHERE tenant = $1 AND path = n.path AND layer = ANY($2::int[])) d
    UNION ALL
    SELECT path, of_path, sign, -artifact_count * heads, -recursive_count * heads, 0
    FROM shared JOIN surplus USING (sharing))
  SELECT of_path AS path,
    coalesce(sum(artifact_count) FILTER (WHERE path = of_path), 0)::bigint AS artifact_count,
    sum(sign * recursive_count)::bigint AS recursive_count,
    sum(sign * file_count)::bigint AS file_count
  FROM counts GROUP BY of_path`;

export interface ComposedCounts extends DomainCounts {
  file_count: number;
  is_empty: boolean;
}

export async function countDomains(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ComposedCounts>> {
  await loadUnlisted(queries, view, paths);
  const listed = [...new Set(paths)].filter((path) => !isHidden(view, path));
  if (listed.length === 0) return new Map();
  const named = listed.flatMap((of_path) => [
    { path: of_path, of_path, sign: 1 },
    ...unlistedBelow(view, of_path).map((path) => ({ path, of_path, sign: -1 })),
  ]);
  const rows = await queries.rows(
    COUNT,
    view.tenant,
    view.layers,
    ...columns(named, 'path', 'of_path', 'sign'),
  );
  return new Map(
    rows.map((row) => [
      row.path,
      { ...row, is_empty: row.path !== '' && row.recursive_count === 0 && row.file_count === 0 },
    ]),
  );
}

/** Counts artifacts per path, in the order of the paths. Omits empty domains. */
export async function countArtifacts(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
): Promise<DomainCounts[]> {
  const counts = await countDomains(queries, view, paths);
  return paths.flatMap((path) => {
    const counted = counts.get(path);
    if (path === '' && counted === undefined)
      return { path, artifact_count: 0, recursive_count: 0 };
    if (counted === undefined || counted.is_empty) return [];
    const { artifact_count, recursive_count } = counted;
    return { path, artifact_count, recursive_count };
  });
}
