import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { DomainFields } from '@catalog/core/domain/read-domain';
import { compileGlobs, globProblem } from '@catalog/core/glob/glob';
import { literalPrefix } from '@catalog/core/glob/literal-prefix';
import type { Tenant } from '@catalog/core/ports/tenant';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Connection, Run } from './connection.ts';
import { ON_MAP, type MapChange } from './domain-counts.ts';
import { readJson, type JsonText } from './json-column.ts';
import { LIMIT } from './limit.ts';
import { subtreeRanges, type PathRange } from './path-ranges.ts';

/**
 * What one `DOMAIN.md` imports at most, of whatever finds more. Anyone with a layer of their own may
 * write `**`; that must not cost the registry a row for every artifact it has.
 */
export const MOST_IMPORTS = 10_000;
/** Heads of one step, after which requests get their turn. */
const HEADS_AT_ONCE = 1000;

/** A `DOMAIN.md`, by where it is. */
export interface FileKey {
  tenant: Tenant;
  layer: number;
  path: string;
}

/** Takes out the patterns of a `DOMAIN.md` and all they found. */
export function removeImports(connection: Connection, { tenant, layer, path }: FileKey): void {
  connection
    .statement('DELETE FROM domain_globs WHERE tenant = ? AND layer = ? AND path = ?')
    .run(tenant, layer, path);
  connection
    .statement('DELETE FROM domain_imports WHERE tenant = ? AND path = ? AND layer = ?')
    .run(tenant, path, layer);
}

/** Keeps the patterns of a `DOMAIN.md` and finds what they import among the heads of all layers. */
export async function putImports(
  run: Run,
  file: FileKey,
  { include = [], exclude = [] }: DomainFields,
): Promise<void> {
  // A pattern that cannot be read finds nothing, here as everywhere.
  const patterns = [...new Set(include)].filter((pattern) => globProblem(pattern) === undefined);
  if (patterns.length === 0) return;
  await run((connection) => putGlobs(connection, file, patterns));
  const isIncluded = compileGlobs(patterns, 'domain');
  const isExcluded = compileGlobs(exclude, 'domain');
  const finds = (id: string): boolean => isIncluded(id) && !isExcluded(id);
  let room = MOST_IMPORTS;
  for (const range of rangesOf(patterns)) {
    for (let after: Head | undefined = { id: range.from, layer: -1 }; after !== undefined;) {
      if (room === 0) return;
      const start: Head = after;
      const page = await run((connection) => listHeads(connection, file.tenant, range, start));
      const found = page.filter(({ id }) => finds(id)).slice(0, room);
      room -= await run((connection) => insertImports(connection, file, found));
      after = page.length < HEADS_AT_ONCE ? undefined : page.at(-1);
      await nextTurn();
    }
  }
}

function putGlobs(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  patterns: readonly string[],
): void {
  const insert = connection.statement(
    'INSERT INTO domain_globs (tenant, prefix, layer, path, pattern) VALUES (?, ?, ?, ?, ?)',
  );
  for (const pattern of patterns) {
    insert.run(tenant, literalPrefix(pattern), layer, path, pattern);
  }
}

/** Where matches of the patterns lie, in byte order and each place once. */
function rangesOf(patterns: readonly string[]): PathRange[] {
  const prefixes = [...new Set(patterns.map(literalPrefix))];
  const widest = prefixes.filter(
    (prefix) => !prefixes.some((other) => other !== prefix && isWithin(prefix, other)),
  );
  return widest
    .flatMap((prefix) => subtreeRanges(prefix, []))
    .sort((a, b) => compareBytes(a.from, b.from));
}

interface Head {
  id: string;
  layer: number;
}

/** Heads on the map of every layer, in a range of ids and past one of them. */
function listHeads(connection: Connection, tenant: Tenant, range: PathRange, after: Head): Head[] {
  return connection
    .statement<Head>(
      `SELECT h.id, h.layer FROM heads h
       WHERE h.tenant = ? AND (h.id, h.layer) > (?, ?) AND h.id < ? AND ${ON_MAP}
       ORDER BY h.id, h.layer ${LIMIT}`,
    )
    .all(tenant, after.id, after.layer, range.before, HEADS_AT_ONCE);
}

/** Answers how many are new. */
function insertImports(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  heads: readonly Head[],
): number {
  const insert = connection.statement(
    `INSERT INTO domain_imports (tenant, path, layer, id, holder) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  return heads.reduce(
    (sum, { id, layer: holder }) =>
      sum + Number(insert.run(tenant, path, layer, id, holder).changes),
    0,
  );
}

/** Imports heads that appeared on the map of a layer, and drops those that went. */
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
  const importers = listImporters(connection, tenant, appeared);
  if (importers.size === 0) return;
  for (const id of appeared) {
    for (const prefix of pathAndAbove(id)) {
      for (const { file, isIncluded } of importers.get(prefix) ?? []) {
        if (file.room === 0 || !isIncluded(id) || file.isExcluded(id)) continue;
        file.room -= insertImports(connection, file, [{ id, layer: holder }]);
      }
    }
  }
}

/** A `DOMAIN.md` with patterns, as it meets new heads. */
interface ImportingFile extends FileKey {
  isExcluded: (id: string) => boolean;
  /** How many more it may import. */
  room: number;
}

/** Some of a file's patterns. */
interface Importer {
  file: ImportingFile;
  isIncluded: (id: string) => boolean;
}

interface GlobRow {
  prefix: string;
  layer: number;
  path: string;
  patterns: JsonText<string[]>;
  fields: JsonText<DomainFields>;
}

/** The files whose patterns may find one of the ids, by the prefix of those patterns. */
function listImporters(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): ReadonlyMap<string, Importer[]> {
  const any = connection.statement('SELECT 1 FROM domain_globs WHERE tenant = ? LIMIT 1');
  if (any.get(tenant) === undefined) return new Map();
  const prefixes = new Set(ids.flatMap(pathAndAbove));
  const rows = connection
    .statement<GlobRow>(
      `SELECT g.prefix, g.layer, g.path, json_group_array(g.pattern) AS patterns, f.fields
       FROM json_each(?2) named
       CROSS JOIN domain_globs g ON g.tenant = ?1 AND g.prefix = named.value
       CROSS JOIN domain_files f ON f.tenant = ?1 AND f.path = g.path AND f.layer = g.layer
       GROUP BY g.prefix, g.layer, g.path`,
    )
    .all(tenant, JSON.stringify([...prefixes]));
  const files = new Map<string, ImportingFile>();
  const importers = rows.map((row) => {
    const key = `${row.layer} ${row.path}`;
    const file = files.get(key) ?? toImportingFile(connection, tenant, row);
    files.set(key, file);
    const isIncluded = compileGlobs(readJson(row.patterns), 'domain');
    return { prefix: row.prefix, file, isIncluded };
  });
  return Map.groupBy(importers, ({ prefix }) => prefix);
}

function toImportingFile(
  connection: Connection,
  tenant: Tenant,
  { layer, path, fields }: GlobRow,
): ImportingFile {
  const { exclude = [] } = readJson(fields);
  const row = connection
    .statement<{ imports: number }>(
      `SELECT count(*) AS imports FROM domain_imports WHERE tenant = ? AND path = ? AND layer = ?`,
    )
    .get(tenant, path, layer);
  const room = Math.max(0, MOST_IMPORTS - (row?.imports ?? 0));
  return { tenant, layer, path, isExcluded: compileGlobs(exclude, 'domain'), room };
}
