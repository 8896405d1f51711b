import { compileGlobs } from '@catalog/core/glob/glob';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { isHidden, type DomainView } from './view.ts';
import { listWinners } from './winners.ts';
import type { Queries } from '../../shared/queries.ts';

export interface Import {
  path: string;
  id: string;
}

// `$2` is the view and `$3` its layers with imports: both the importing file and the artifact must be visible.
const LIST_OF_PATH: Sql<{ id: string }> =
  `SELECT DISTINCT i.id FROM unnest($3::int[]) AS importing (layer)
  CROSS JOIN LATERAL (SELECT DISTINCT id FROM domain_imports
    WHERE tenant = $1 AND path = $4 AND layer = importing.layer AND id > $5
      AND holder = ANY($2::int[])
    ORDER BY id LIMIT $6) i
  ORDER BY i.id LIMIT $6`;

/** Lists the first `limit` imported ids after an id, in byte order. They need not be visible in the view. */
export async function listImports(
  queries: Queries,
  view: DomainView,
  path: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  if (view.importing.length === 0) return ids;
  for (let last = after; ids.length < limit;) {
    const wanted = limit - ids.length;
    const found = (
      await queries.rows(LIST_OF_PATH, view.tenant, view.layers, view.importing, path, last, wanted)
    ).map(({ id }) => ({ path, id }));
    ids.push(...(await withoutExcluded(queries, view, found)).map(({ id }) => id));
    if (found.length < wanted) break;
    last = found.at(-1)?.id ?? last;
  }
  return ids;
}

const IMPORTS_AT_ONCE = 20;

export async function importsAnything(
  queries: Queries,
  view: DomainView,
  path: string,
): Promise<boolean> {
  let ids: string[] = [];
  do {
    ids = await listImports(queries, view, path, ids.at(-1) ?? '', IMPORTS_AT_ONCE);
    if (ids.length > 0 && (await listWinners(queries, view, ids)).length > 0) return true;
  } while (ids.length === IMPORTS_AT_ONCE);
  return false;
}

const LIST_BELOW: Sql<ImportRow> = `SELECT path, layer, id, holder FROM domain_imports
  WHERE tenant = $1 AND (path, layer, id, holder) > ($4, $5, $6, $7) AND path < $8
    AND layer = ANY($3::int[]) AND holder = ANY($2::int[])
  ORDER BY path, layer, id, holder LIMIT $9`;

interface ImportRow extends Import {
  layer: LayerNumber;
  holder: number;
}

const ROWS_AT_ONCE = 1000;

/** Lists imports of listed domains below a path. Ids may be repeated. */
export async function* listImportsBelow(
  queries: Queries,
  view: DomainView,
  path: string,
): AsyncGenerator<Import[]> {
  if (view.importing.length === 0) return;
  for (const { from, before } of subtreeRanges(path, [])) {
    let after: ImportRow | undefined = { path: from, layer: -1, id: '', holder: -1 };
    while (after !== undefined) {
      const rows: ImportRow[] = await queries.rows(
        LIST_BELOW,
        view.tenant,
        view.layers,
        view.importing,
        after.path,
        after.layer,
        after.id,
        after.holder,
        before,
        ROWS_AT_ONCE,
      );
      const listed = rows.filter((row) => !isHidden(view, row.path));
      yield await withoutExcluded(queries, view, listed);
      after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
    }
  }
}

const ANY_BELOW: Sql<{ path: string }> =
  `SELECT DISTINCT below.path FROM unnest($3::text[], $4::text[], $5::text[])
    AS below (path, "from", before)
  CROSS JOIN LATERAL (SELECT 1 FROM domain_imports
    WHERE tenant = $1 AND path >= below."from" AND path < below.before
      AND layer = ANY($2::int[]) LIMIT 1) i`;

export async function listImporting(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (view.importing.length === 0) return new Set();
  const ranges = paths.flatMap((path) =>
    subtreeRanges(path, []).map((range) => ({ path, ...range })),
  );
  const rows = await queries.rows(
    ANY_BELOW,
    view.tenant,
    view.importing,
    ...columns(ranges, 'path', 'from', 'before'),
  );
  return new Set(rows.map(({ path }) => path));
}

const LIST_IMPORTERS: Sql<Import> = `SELECT i.path, i.id FROM unnest($4::text[]) AS named (id)
  CROSS JOIN LATERAL (SELECT DISTINCT path, id FROM domain_imports
    WHERE tenant = $1 AND id = named.id AND holder = ANY($2::int[])
      AND (layer + 0) = ANY($3::int[])) i`;

export async function listImporters(
  queries: Queries,
  view: DomainView,
  ids: readonly string[],
): Promise<Import[]> {
  const { tenant, layers, importing } = view;
  if (importing.length === 0) return [];
  const rows = await queries.rows(LIST_IMPORTERS, tenant, layers, importing, ids);
  return withoutExcluded(queries, view, rows);
}

const LIST_EXCLUDES: Sql<{ path: string; exclude: string[] | null }> =
  `SELECT f.path, f.exclude FROM unnest($3::text[]) AS named (path)
  CROSS JOIN LATERAL (SELECT path, fields -> 'exclude' AS exclude FROM domain_files
    WHERE tenant = $1 AND path = named.path AND (layer + 0) = ANY($2::int[])) f`;

/**
 * Applies excludes that need several `DOMAIN.md` files. The excludes of a single file are applied when it is stored.
 */
async function withoutExcluded<Row extends Import>(
  queries: Queries,
  view: DomainView,
  rows: readonly Row[],
): Promise<Row[]> {
  const { tenant, layers, excluded } = view;
  const unknown = [...new Set(rows.map(({ path }) => path))].filter((path) => !excluded.has(path));
  if (unknown.length > 0) {
    const files = Map.groupBy(
      await queries.rows(LIST_EXCLUDES, tenant, layers, unknown),
      ({ path }) => path,
    );
    for (const path of unknown) {
      const here = files.get(path) ?? [];
      const patterns = here.length > 1 ? here.flatMap(({ exclude }) => exclude ?? []) : [];
      excluded.set(path, compileGlobs(patterns, 'domain'));
    }
  }
  return rows.filter(({ path, id }) => excluded.get(path)?.(id) !== true);
}
