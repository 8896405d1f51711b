import {
  importSearch,
  matchImports,
  MAX_IMPORTS,
  type ImportGlobs,
  type ImportMatch,
} from '@catalog/core/domain/import-patterns';
import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { DomainFields } from '@catalog/core/domain/read-domain';
import type { MapChange } from '@catalog/core/domain/recount-heads';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { PathRange } from '@catalog/core/text/path-ranges';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { ON_MAP } from './winners.ts';
import type { Queries } from '../../shared/queries.ts';

export interface FileKey {
  tenant: Tenant;
  layer: LayerNumber;
  path: string;
}

const REMOVE_GLOBS = `DELETE FROM domain_globs
  WHERE tenant = $1 AND layer = $2 AND path = ANY($3::text[])`;
const REMOVE_IMPORTS = `DELETE FROM domain_imports
  WHERE tenant = $1 AND layer = $2 AND path = ANY($3::text[])`;

export async function removeImports(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  paths: readonly string[],
): Promise<void> {
  await queries.run(REMOVE_GLOBS, tenant, layer, paths);
  await queries.run(REMOVE_IMPORTS, tenant, layer, paths);
}

const ADD_GLOBS = `INSERT INTO domain_globs (tenant, layer, path, prefix, patterns)
  SELECT $1, $2, $3, prefix, array_agg(pattern)
  FROM unnest($4::text[], $5::text[]) AS g (prefix, pattern) GROUP BY prefix`;

export async function putImports(
  queries: Queries,
  file: FileKey,
  fields: DomainFields,
): Promise<void> {
  const search = importSearch(fields);
  if (search === undefined) return;
  const globs = [...search.prefixes].flatMap(([prefix, patterns]) =>
    patterns.map((pattern) => ({ prefix, pattern })),
  );
  const { tenant, layer, path } = file;
  await queries.run(ADD_GLOBS, tenant, layer, path, ...columns(globs, 'prefix', 'pattern'));
  let room = MAX_IMPORTS;
  for (const range of search.ranges) {
    for await (const heads of listHeads(queries, tenant, range)) {
      const found = heads.filter(({ id }) => search.finds(id)).slice(0, room);
      const matches = found.map((head) => ({ layer, path, id: head.id, holder: head.layer }));
      await insertImports(queries, tenant, matches);
      room -= found.length;
      if (room === 0) return;
    }
  }
}

interface Head {
  id: string;
  layer: LayerNumber;
}

const LIST_HEADS: Sql<Head> = `SELECT h.id, h.layer FROM heads h
  WHERE h.tenant = $1 AND (h.id, h.layer) > ($2, $3) AND h.id < $4 AND ${ON_MAP}
  ORDER BY h.id, h.layer LIMIT $5`;
const HEADS_AT_ONCE = 1000;

async function* listHeads(
  queries: Queries,
  tenant: Tenant,
  { from, before }: PathRange,
): AsyncGenerator<Head[]> {
  let after: Head | undefined = { id: from, layer: -1 };
  while (after !== undefined) {
    const { id, layer }: Head = after;
    const key = [tenant, id, layer] as const;
    const heads: Head[] = await queries.rows(LIST_HEADS, ...key, before, HEADS_AT_ONCE);
    yield heads;
    after = heads.length < HEADS_AT_ONCE ? undefined : heads.at(-1);
  }
}

const ADD_IMPORTS = `INSERT INTO domain_imports (tenant, path, layer, id, holder)
  SELECT $1, * FROM unnest($2::text[], $3::int[], $4::text[], $5::int[]) ON CONFLICT DO NOTHING`;

async function insertImports(
  queries: Queries,
  tenant: Tenant,
  matches: readonly (ImportMatch & { holder: number })[],
): Promise<void> {
  if (matches.length === 0) return;
  await queries.run(ADD_IMPORTS, tenant, ...columns(matches, 'path', 'layer', 'id', 'holder'));
}

const REMOVE_GONE = `DELETE FROM domain_imports i USING unnest($3::text[]) AS gone (id)
  WHERE i.tenant = $1 AND i.holder = $2 AND i.id = gone.id`;
const LIST_GLOBS: Sql<ImportGlobs> = `SELECT g.*, coalesce(f.fields -> 'exclude', '[]') AS exclude,
    (SELECT count(*) FROM domain_imports i
      WHERE i.tenant = $1 AND i.path = g.path AND i.layer = g.layer) AS imports
  FROM unnest($2::text[]) AS named (prefix)
  CROSS JOIN LATERAL (SELECT prefix, layer, path, patterns FROM domain_globs
    WHERE tenant = $1 AND prefix = named.prefix) g
  CROSS JOIN LATERAL (SELECT fields FROM domain_files
    WHERE tenant = $1 AND path = g.path AND layer = g.layer LIMIT 1) f`;

/** Adds imports of heads that appeared in a layer, and removes those of heads that disappeared. */
export async function followHeads(
  queries: Queries,
  tenant: Tenant,
  holder: number,
  { appeared, gone }: MapChange,
): Promise<void> {
  if (gone.length > 0) await queries.run(REMOVE_GONE, tenant, holder, gone);
  if (appeared.length === 0) return;
  const prefixes = new Set(appeared.flatMap(pathAndAbove));
  const globs = await queries.rows(LIST_GLOBS, tenant, [...prefixes]);
  const matches = matchImports(globs, appeared).map((match) => ({ ...match, holder }));
  await insertImports(queries, tenant, matches);
}
