import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { ChildLimits, DomainCounts, DomainNode } from '@catalog/core/domain/domain-reader';
import { surplusOf } from '@catalog/core/domain/head-sharing';
import { parentPath } from '@catalog/core/text/slash-path';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Connection } from '../connection/connection.ts';
import { listImports } from './import-reads.ts';
import { readHolders, type HoldersText } from './sharings.ts';
import { isHidden, layersAt, listUnlisted, type DomainView } from './view.ts';
import { listWinners } from './winners.ts';
import { LIMIT } from '../connection/limit.ts';

interface DomainRow {
  path: string;
  artifact_count: number;
  recursive_count: number;
  file_count: number;
  description: string | null;
  curated: number;
  includes: number;
}

const COLUMNS = 'path, artifact_count, recursive_count, file_count, description, curated, includes';

type LayerRows = ReadonlyMap<LayerNumber, DomainRow>;

export interface CountedNode {
  node: DomainNode;
  counts: DomainCounts;
}

export function getNode(
  connection: Connection,
  view: DomainView,
  path: string,
): CountedNode | undefined {
  if (isHidden(connection, view, path)) return undefined;
  const statement = connection.statement<DomainRow>(
    `SELECT ${COLUMNS} FROM domains WHERE tenant = ? AND layer = ? AND parent = ? AND path = ?`,
  );
  const parent = parentPath(path);
  const rows = new Map<LayerNumber, DomainRow>();
  for (const layer of layersAt(view, path)) {
    const row = statement.get(view.tenant, layer, parent, path);
    if (row !== undefined) rows.set(layer, row);
  }
  view.present.set(path, [...rows.keys()]);
  return toNode(connection, view, path, rows, listUnlisted(connection, view, path));
}

export function listChildren(
  connection: Connection,
  view: DomainView,
  paths: readonly string[],
  { each, all, after = '' }: ChildLimits,
): DomainNode[] {
  const nodes: DomainNode[] = [];
  for (const path of paths) {
    const limit = Math.min(each, all - nodes.length);
    if (limit <= 0) break;
    if (isHidden(connection, view, path)) continue;
    nodes.push(...childrenOf(connection, view, path, after, limit));
  }
  return nodes;
}

function childrenOf(
  connection: Connection,
  view: DomainView,
  parent: string,
  start: string,
  limit: number,
): DomainNode[] {
  const unlisted = Map.groupBy(listUnlisted(connection, view, parent), (path) =>
    childTowards(parent, path),
  );
  const nodes: DomainNode[] = [];
  for (let after = start; ;) {
    const wanted = limit - nodes.length;
    const rows = listRows(connection, view, parent, after, wanted);
    // The first entries of each layer are read, so the first entries of all layers together are complete.
    const paths = [...rows.keys()].sort(compareBytes).slice(0, wanted);
    for (const path of paths) {
      const there = rows.get(path) ?? new Map<LayerNumber, DomainRow>();
      view.present.set(path, [...there.keys()]);
      const below = unlisted.get(path) ?? [];
      const counted = below.includes(path)
        ? undefined
        : toNode(connection, view, path, there, below);
      if (counted !== undefined) nodes.push(counted.node);
    }
    const last = paths.at(-1);
    if (last === undefined || paths.length < wanted || nodes.length === limit) return nodes;
    after = last;
  }
}

/** Returns the child of `parent` that is or contains a path. */
function childTowards(parent: string, path: string): string {
  const end = path.indexOf('/', parent === '' ? 0 : parent.length + 1);
  return end === -1 ? path : path.slice(0, end);
}

function listRows(
  connection: Connection,
  view: DomainView,
  parent: string,
  after: string,
  limit: number,
): ReadonlyMap<string, LayerRows> {
  const statement = connection.statement<DomainRow>(
    `SELECT ${COLUMNS} FROM domains
     WHERE tenant = ? AND layer = ? AND parent = ? AND path > ? ORDER BY path ${LIMIT}`,
  );
  const found = new Map<string, Map<LayerNumber, DomainRow>>();
  for (const layer of layersAt(view, parent)) {
    const rowLimit = Number.isFinite(limit) ? limit : -1;
    for (const row of statement.all(view.tenant, layer, parent, after, rowLimit)) {
      const known = found.get(row.path);
      if (known === undefined) found.set(row.path, new Map([[layer, row]]));
      else known.set(layer, row);
    }
  }
  return found;
}

function toNode(
  connection: Connection,
  view: DomainView,
  path: string,
  rows: LayerRows,
  unlisted: readonly string[],
): CountedNode | undefined {
  const counts = composeCounts(connection, view, path, rows.values());
  for (const below of unlisted) {
    const hidden = countsOf(connection, view, below);
    counts.recursive_count -= hidden.recursive_count;
    counts.file_count -= hidden.file_count;
  }
  const { artifact_count, recursive_count, file_count } = counts;
  if (recursive_count === 0 && file_count === 0 && path !== '') return undefined;
  const { description, files, curated, includes } = composeFiles(view, rows);
  return {
    node: {
      path,
      description,
      curated: curated || (includes && importsAnything(connection, view, path)),
      has_artifacts: artifact_count > 0,
      has_children: recursive_count > artifact_count || file_count > files,
    },
    counts: { path, artifact_count, recursive_count },
  };
}

/** Combines the `DOMAIN.md` files of a domain. The description of the highest layer applies. */
function composeFiles(
  { ranks }: DomainView,
  rows: LayerRows,
): { description: string; files: number; curated: boolean; includes: boolean } {
  const composed = { description: '', files: 0, curated: false, includes: false };
  let highest = -1;
  for (const [layer, { description, curated, includes }] of rows) {
    if (description === null) continue;
    composed.files += 1;
    composed.curated ||= curated === 1;
    composed.includes ||= includes === 1;
    const rank = ranks.get(layer) ?? -1;
    if (description === '' || rank < highest) continue;
    highest = rank;
    composed.description = description;
  }
  return composed;
}

interface Counts {
  artifact_count: number;
  recursive_count: number;
  /** Number of descriptions over all layers: a path with two counts twice. */
  file_count: number;
}

function countsOf(connection: Connection, view: DomainView, path: string): Counts {
  // Few layers have data at one path, so reading all is cheaper than filtering them in SQL.
  const rows = connection
    .statement<DomainRow & { layer: LayerNumber }>(
      // Without this hint, SQLite reads all rows of the tenant.
      `SELECT layer, ${COLUMNS} FROM domains INDEXED BY domains_path WHERE tenant = ? AND path = ?`,
    )
    .all(view.tenant, path)
    .filter(({ layer }) => view.ranks.has(layer));
  return composeCounts(connection, view, path, rows);
}

function composeCounts(
  connection: Connection,
  view: DomainView,
  path: string,
  rows: Iterable<DomainRow>,
): Counts {
  const counts = { artifact_count: 0, recursive_count: 0, file_count: 0 };
  for (const row of rows) {
    counts.artifact_count += row.artifact_count;
    counts.recursive_count += row.recursive_count;
    counts.file_count += row.file_count;
  }
  const seen = new Set<number>();
  for (const overlap of listOverlaps(connection, view, path)) {
    if (seen.has(overlap.sharing)) continue;
    seen.add(overlap.sharing);
    const surplus = surplusOf(readHolders(overlap.holders), view.ranks);
    counts.artifact_count -= surplus * overlap.artifact_count;
    counts.recursive_count -= surplus * overlap.recursive_count;
  }
  return counts;
}

interface OverlapRow {
  layer: LayerNumber;
  sharing: number;
  artifact_count: number;
  recursive_count: number;
  holders: HoldersText;
}

/** Lists which layers of the view share ids at a path. */
function listOverlaps(connection: Connection, view: DomainView, path: string): OverlapRow[] {
  // Includes layers without listed heads: one of them may hide the listed head of another layer.
  const layers =
    view.sharing.get(path) ?? view.sharing.get(parentPath(path)) ?? view.sharing.get('') ?? [];
  if (layers.length === 0) return [];
  const rows = connection
    .statement<OverlapRow>(
      `SELECT o.layer, o.sharing, o.artifact_count, o.recursive_count, s.holders
       FROM json_each(?3) named
       CROSS JOIN domain_overlaps o ON o.tenant = ?1 AND o.path = ?2 AND o.layer = named.value
       CROSS JOIN domain_sharings s ON s.sharing = o.sharing`,
    )
    .all(view.tenant, path, JSON.stringify(layers));
  view.sharing.set(path, [...new Set(rows.map(({ layer }) => layer))]);
  return rows;
}

const IMPORTS_AT_ONCE = 20;

function importsAnything(connection: Connection, view: DomainView, path: string): boolean {
  let ids: string[] = [];
  do {
    ids = listImports(connection, view, path, ids.at(-1) ?? '', IMPORTS_AT_ONCE);
    if (listWinners(connection, view, ids).size > 0) return true;
  } while (ids.length === IMPORTS_AT_ONCE);
  return false;
}
