import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathAndAbove } from '@catalog/core/domain/domain-path';
import {
  importSearch,
  matchImports,
  MAX_IMPORTS,
  type ImportGlobs,
} from '@catalog/core/domain/import-patterns';
import type { DomainFields } from '@catalog/core/domain/read-domain';
import type { MapChange } from '@catalog/core/domain/recount-heads';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { PathRange } from '@catalog/core/text/path-ranges';
import type { Connection, Run } from '../connection/connection.ts';
import { ON_MAP } from './counts.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';
import { LIMIT } from '../connection/limit.ts';

const HEADS_AT_ONCE = 1000;

export interface FileKey {
  tenant: Tenant;
  layer: LayerNumber;
  path: string;
}

export function removeImports(connection: Connection, { tenant, layer, path }: FileKey): void {
  connection
    .statement('DELETE FROM domain_globs WHERE tenant = ? AND layer = ? AND path = ?')
    .run(tenant, layer, path);
  connection
    .statement('DELETE FROM domain_imports WHERE tenant = ? AND path = ? AND layer = ?')
    .run(tenant, path, layer);
}

export async function putImports(run: Run, file: FileKey, fields: DomainFields): Promise<void> {
  const search = importSearch(fields);
  if (search === undefined) return;
  await run((connection) => putGlobs(connection, file, search.prefixes));
  let room = MAX_IMPORTS;
  for (const range of search.ranges) {
    for (let after: Head | undefined = { id: range.from, layer: -1 }; after !== undefined;) {
      if (room === 0) return;
      const start: Head = after;
      const page = await run((connection) => listHeads(connection, file.tenant, range, start));
      const found = page.filter(({ id }) => search.finds(id)).slice(0, room);
      await run((connection) => {
        for (const { id, layer } of found) insertImport(connection, file, id, layer);
      });
      room -= found.length;
      after = page.length < HEADS_AT_ONCE ? undefined : page.at(-1);
      await nextTurn();
    }
  }
}

function putGlobs(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  prefixes: ReadonlyMap<string, readonly string[]>,
): void {
  const insert = connection.statement(
    'INSERT INTO domain_globs (tenant, prefix, layer, path, pattern) VALUES (?, ?, ?, ?, ?)',
  );
  for (const [prefix, patterns] of prefixes) {
    for (const pattern of patterns) insert.run(tenant, prefix, layer, path, pattern);
  }
}

interface Head {
  id: string;
  layer: LayerNumber;
}

function listHeads(connection: Connection, tenant: Tenant, range: PathRange, after: Head): Head[] {
  return connection
    .statement<Head>(
      `SELECT h.id, h.layer FROM heads h
       WHERE h.tenant = ? AND (h.id, h.layer) > (?, ?) AND h.id < ? AND ${ON_MAP}
       ORDER BY h.id, h.layer ${LIMIT}`,
    )
    .all(tenant, after.id, after.layer, range.before, HEADS_AT_ONCE);
}

function insertImport(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  id: string,
  holder: number,
): void {
  connection
    .statement(
      `INSERT INTO domain_imports (tenant, path, layer, id, holder) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    )
    .run(tenant, path, layer, id, holder);
}

/** Adds imports of heads that appeared in a layer, and removes those of heads that disappeared. */
export function followHeads(
  connection: Connection,
  tenant: Tenant,
  holder: number,
  { appeared, gone }: MapChange,
): void {
  const remove = connection.statement(
    'DELETE FROM domain_imports WHERE tenant = ? AND id = ? AND holder = ?',
  );
  for (const id of gone) remove.run(tenant, id, holder);
  if (appeared.length === 0) return;
  const globs = listGlobs(connection, tenant, appeared);
  for (const { layer, path, id } of matchImports(globs, appeared)) {
    insertImport(connection, { tenant, layer, path }, id, holder);
  }
}

interface GlobRow extends Pick<ImportGlobs, 'prefix' | 'layer' | 'path' | 'imports'> {
  patterns: JsonText<string[]>;
  fields: JsonText<DomainFields>;
}

function listGlobs(connection: Connection, tenant: Tenant, ids: readonly string[]): ImportGlobs[] {
  const any = connection.statement('SELECT 1 FROM domain_globs WHERE tenant = ? LIMIT 1');
  if (any.get(tenant) === undefined) return [];
  const prefixes = new Set(ids.flatMap(pathAndAbove));
  return connection
    .statement<GlobRow>(
      `SELECT g.prefix, g.layer, g.path, json_group_array(g.pattern) AS patterns, f.fields,
         (SELECT count(*) FROM domain_imports i
          WHERE i.tenant = ?1 AND i.path = g.path AND i.layer = g.layer) AS imports
       FROM json_each(?2) named
       CROSS JOIN domain_globs g ON g.tenant = ?1 AND g.prefix = named.value
       CROSS JOIN domain_files f ON f.tenant = ?1 AND f.path = g.path AND f.layer = g.layer
       GROUP BY g.prefix, g.layer, g.path`,
    )
    .all(tenant, JSON.stringify([...prefixes]))
    .map(({ patterns, fields, ...row }) => ({
      ...row,
      patterns: readJson(patterns),
      exclude: readJson(fields).exclude ?? [],
    }));
}
