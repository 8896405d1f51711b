import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { DomainFields } from '@catalog/core/domain/read-domain';
import { compileGlobs } from '@catalog/core/glob/glob';
import type { Connection } from '../connection/connection.ts';
import { isHidden, layersAt, type DomainView } from './view.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';
import { LIMIT } from '../connection/limit.ts';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import type { LayerNumber } from '@catalog/core/ports/layer-number';

export interface Import {
  path: string;
  id: string;
}

interface ImportRow extends Import {
  layer: LayerNumber;
  holder: number;
}

/** Lists the first `limit` imported ids after an id, in byte order. They need not be visible in the view. */
export function listImports(
  connection: Connection,
  view: DomainView,
  path: string,
  after: string,
  limit: number,
): string[] {
  const ids = new Set<string>();
  for (const layer of layersAt(view, path)) {
    if (!view.importing.has(layer)) continue;
    let found = 0;
    let last = after;
    const start = { path, layer, id: after, holder: Number.MAX_SAFE_INTEGER };
    for (const { id } of scanImports(connection, view, start, { path, layer: layer + 1 })) {
      if (id === last) continue;
      last = id;
      ids.add(id);
      found += 1;
      if (found === limit) break;
    }
  }
  return [...ids].sort(compareBytes).slice(0, limit);
}

/** Lists imports of listed domains below a path. Ids may be repeated. */
export function* listImportsBelow(
  connection: Connection,
  view: DomainView,
  path: string,
): Generator<Import> {
  if (view.importing.size === 0) return;
  for (const { from, before } of subtreeRanges(path, [])) {
    const start = { path: from, layer: -1, id: '', holder: -1 };
    yield* scanImports(connection, view, start, { path: before, layer: -1 });
  }
}

export function listImporters(
  connection: Connection,
  view: DomainView,
  ids: readonly string[],
): Import[] {
  if (view.importing.size === 0) return [];
  return connection
    .statement<ImportRow>(
      `SELECT i.path, i.layer, i.id, i.holder FROM json_each(?2) named
       CROSS JOIN domain_imports i ON i.tenant = ?1 AND i.id = named.value`,
    )
    .all(view.tenant, JSON.stringify(ids))
    .filter((row) => isInView(connection, view, row));
}

const ROWS_AT_ONCE = 200;

function* scanImports(
  connection: Connection,
  view: DomainView,
  start: ImportRow,
  end: { path: string; layer: LayerNumber },
): Generator<ImportRow> {
  const statement = connection.statement<ImportRow>(
    `SELECT path, layer, id, holder FROM domain_imports
     WHERE tenant = ? AND (path, layer, id, holder) > (?, ?, ?, ?) AND (path, layer) < (?, ?)
     ORDER BY path, layer, id, holder ${LIMIT}`,
  );
  for (let after: ImportRow | undefined = start; after !== undefined;) {
    const { path, layer, id, holder } = after;
    const key = [view.tenant, path, layer, id, holder] as const;
    const rows = statement.all(...key, end.path, end.layer, ROWS_AT_ONCE);
    for (const row of rows) if (isInView(connection, view, row)) yield row;
    after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  }
}

/** Returns true if both layers are visible, the domain is listed, and no other layer excludes the id. */
function isInView(connection: Connection, view: DomainView, row: ImportRow): boolean {
  return (
    view.ranks.has(row.layer) &&
    view.ranks.has(row.holder) &&
    !isHidden(connection, view, row.path) &&
    !excludedAt(connection, view, row.path)(row.id)
  );
}

/**
 * Applies excludes that need several `DOMAIN.md` files. The excludes of a single file are applied when it is stored.
 */
function excludedAt(
  connection: Connection,
  view: DomainView,
  path: string,
): (id: string) => boolean {
  let excluded = view.excluded.get(path);
  if (excluded === undefined) {
    const files = connection
      .statement<{ layer: LayerNumber; fields: JsonText<DomainFields> }>(
        'SELECT layer, fields FROM domain_files WHERE tenant = ? AND path = ?',
      )
      .all(view.tenant, path)
      .filter(({ layer }) => view.ranks.has(layer));
    const patterns = files.flatMap(({ fields }) => readJson(fields).exclude ?? []);
    excluded = compileGlobs(files.length > 1 ? patterns : [], 'domain');
    view.excluded.set(path, excluded);
  }
  return excluded;
}
