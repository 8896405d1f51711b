import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { DomainMember, MemberQuery } from '@catalog/core/domain/domain-reader';
import { memberDomain, type ListedQuery } from '@catalog/core/domain/member-domain';
import { isWithin, parentPath } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { listImporters, listImports, listImportsBelow, type Import } from './import-reads.ts';
import { getNode } from './nodes.ts';
import { isHidden, layersAt, listUnlisted, type DomainView } from './view.ts';
import { listWinners } from './winners.ts';
import { LIMIT } from '../connection/limit.ts';
import { exactRange, subtreeRanges, type PathRange } from '@catalog/core/text/path-ranges';
import type { LayerNumber } from '@catalog/core/ports/layer-number';

export function listMembers(
  connection: Connection,
  view: DomainView,
  query: MemberQuery,
  after: string,
  limit: number,
): DomainMember[] {
  const listed = listedPart(connection, view, query);
  const members: DomainMember[] = [];
  for (let last = after; members.length < limit;) {
    const wanted = limit - members.length;
    const candidates = listCandidates(connection, view, listed, last, wanted);
    const ids = [...candidates.keys()].sort(compareBytes).slice(0, wanted);
    const winners = listWinners(connection, view, ids);
    for (const id of ids) {
      const winner = winners.get(id);
      const domain = candidates.get(id);
      if (winner !== undefined && domain !== undefined) members.push({ ...winner, domain });
    }
    last = ids.at(-1) ?? last;
    if (ids.length < wanted) break;
  }
  return members;
}

export function getMembers(
  connection: Connection,
  view: DomainView,
  query: MemberQuery,
  ids: readonly string[],
): DomainMember[] {
  const listed = listedPart(connection, view, query);
  const importers = Map.groupBy(listImporters(connection, view, ids), ({ id }) => id);
  return [...listWinners(connection, view, ids).values()].flatMap((winner) => {
    const importing = importers.get(winner.id)?.map(({ path }) => path) ?? [];
    const hides = (domain: string): boolean => isHidden(connection, view, domain);
    const domain = memberDomain(listed, winner.id, importing, hides);
    return domain === undefined ? [] : [{ ...winner, domain }];
  });
}

/** Lists the members of a small domain. Reads imports only if the result can contain any. */
export function listSmall(
  connection: Connection,
  view: DomainView,
  paths: readonly string[],
  fewerThan: number,
): string[] {
  return paths.filter((path) => {
    const own = getNode(connection, view, path)?.counts.recursive_count ?? 0;
    return own < fewerThan && !importsMore(connection, view, path, fewerThan - own);
  });
}

function importsMore(
  connection: Connection,
  view: DomainView,
  path: string,
  count: number,
): boolean {
  const isOwn = (id: string): boolean => {
    const domain = parentPath(id);
    return isWithin(domain, path) && !isHidden(connection, view, domain);
  };
  const seen = new Set<string>();
  let found = 0;
  for (const { id } of listImportsBelow(connection, view, path)) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (isOwn(id)) continue;
    found += listWinners(connection, view, [id]).size;
    if (found === count) return true;
  }
  return false;
}

export function listTags(
  connection: Connection,
  view: DomainView,
  path: string,
  limit: number,
): (readonly string[])[] {
  if (isHidden(connection, view, path)) return [];
  const tags: (readonly string[])[] = [];
  for (const range of subtreeRanges(path, listUnlisted(connection, view, path))) {
    let last = { domain: range.from, id: '' };
    for (;;) {
      const wanted = limit - tags.length;
      if (wanted === 0) return tags;
      const rows = listInDomains(connection, view, layersAt(view, path), range, last, wanted);
      const winners = listWinners(
        connection,
        view,
        rows.map(({ id }) => id),
      );
      for (const { id } of rows) {
        const winner = winners.get(id);
        if (winner !== undefined) tags.push(winner.tags);
      }
      last = rows.at(-1) ?? last;
      if (rows.length < wanted) break;
    }
  }
  return tags;
}

function listedPart(
  connection: Connection,
  view: DomainView,
  { path, folded }: MemberQuery,
): ListedQuery {
  return {
    path: isHidden(connection, view, path) ? undefined : path,
    folded: folded
      .filter((child) => !isHidden(connection, view, child))
      .sort((a, b) => compareBytes(`${a}/`, `${b}/`)),
  };
}

/**
 * Lists candidates, which need not be visible in the view. Each source contributes its first `limit` ids, so the first
 * `limit` of all are complete.
 */
function listCandidates(
  connection: Connection,
  view: DomainView,
  { path, folded }: ListedQuery,
  after: string,
  limit: number,
): ReadonlyMap<string, string> {
  const candidates = new Map<string, string>();
  const add = (id: string, domain: string): void => {
    if (!candidates.has(id)) candidates.set(id, domain);
  };
  if (path !== undefined) {
    const last = { domain: path, id: after };
    const here = exactRange(path);
    const direct = listInDomains(connection, view, layersAt(view, path), here, last, limit);
    for (const { id } of direct) add(id, path);
    for (const id of listImports(connection, view, path, after, limit)) add(id, path);
  }
  for (const id of listBelow(connection, view, folded, after, limit)) add(id, parentPath(id));
  for (const row of listImportedBelow(connection, view, folded, after)) add(row.id, row.path);
  return candidates;
}

function listBelow(
  connection: Connection,
  view: DomainView,
  folded: readonly string[],
  after: string,
  limit: number,
): string[] {
  const ids: string[] = [];
  for (const path of folded) {
    if (ids.length >= limit) break;
    if (compareBytes(`${path}0`, after) <= 0) continue;
    const found = subtreeRanges(path, listUnlisted(connection, view, path)).flatMap((range) => {
      const start = { domain: range.from, id: '' };
      return listInDomains(connection, view, layersAt(view, path), range, start, Infinity);
    });
    const past = found.map(({ id }) => id).filter((id) => compareBytes(id, after) > 0);
    ids.push(...past.sort(compareBytes));
  }
  return ids;
}

/** Lists imports of folded domains and their subdomains after an id, by domain in byte order. */
function listImportedBelow(
  connection: Connection,
  view: DomainView,
  folded: readonly string[],
  after: string,
): Import[] {
  return folded
    .flatMap((path) => [...listImportsBelow(connection, view, path)])
    .filter(({ id }) => compareBytes(id, after) > 0)
    .sort((a, b) => compareBytes(a.path, b.path));
}

interface MemberRow {
  domain: string;
  id: string;
}

/** Lists ids whose visible head may come from another layer. */
function listInDomains(
  connection: Connection,
  { tenant }: DomainView,
  layers: readonly LayerNumber[],
  range: PathRange,
  after: MemberRow,
  limit: number,
): MemberRow[] {
  const statement = connection.statement<MemberRow>(
    `SELECT domain, id FROM domain_members
     WHERE tenant = ? AND layer = ? AND (domain, id) > (?, ?) AND domain < ?
     ORDER BY domain, id ${LIMIT}`,
  );
  const rowLimit = Number.isFinite(limit) ? limit : -1;
  const found = new Map<string, MemberRow>();
  for (const layer of layers) {
    const rows = statement.all(tenant, layer, after.domain, after.id, range.before, rowLimit);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()]
    .sort((a, b) => compareBytes(a.domain, b.domain) || compareBytes(a.id, b.id))
    .slice(0, limit);
}
