import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { DomainMember, MemberQuery } from '@catalog/core/domain/domain-reader';
import { memberDomain, type ListedQuery } from '@catalog/core/domain/member-domain';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import { isWithin, parentPath } from '@catalog/core/text/slash-path';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { countDomains } from './composed-counts.ts';
import {
  listImporters,
  listImporting,
  listImports,
  listImportsBelow,
  type Import,
} from './import-reads.ts';
import { isHidden, loadUnlisted, unlistedBelow, type DomainView } from './view.ts';
import { listWinners, WINNER, type Winner } from './winners.ts';
import type { Queries } from '../../shared/queries.ts';

// Lists candidates: ids in the domain itself (`$5`), in ranges of folded domains (`$6` and `$7`), and imported ids
// (`$8` to `$10`). Each source contributes its first `$4` ids after `$3`, so the first `$4` of all are complete. Unlisted ids have no type. `OFFSET 0` prevents the planner from reading every domain first.
const LIST_MEMBERS: Sql<CandidateRow> = `WITH candidates AS (
    SELECT m.id, m.domain, 0 AS place
    FROM (SELECT layer FROM domains
      WHERE tenant = $1 AND path = $5 AND layer = ANY($2::int[]) AND own) here
    CROSS JOIN LATERAL (SELECT domain, id FROM domain_members
      WHERE tenant = $1 AND layer = here.layer AND domain = $5 AND id > $3
      ORDER BY id LIMIT $4) m
    UNION ALL
    SELECT m.id, m.domain, 1 FROM unnest($6::text[], $7::text[]) AS below ("from", before)
    CROSS JOIN LATERAL (SELECT layer, path FROM domains
      WHERE tenant = $1 AND path >= below."from" AND path < below.before
        AND layer = ANY($2::int[]) AND own OFFSET 0) there
    CROSS JOIN LATERAL (SELECT domain, id FROM domain_members
      WHERE tenant = $1 AND layer = there.layer AND domain = there.path AND id > $3 OFFSET 0) m
    UNION ALL
    SELECT * FROM unnest($8::text[], $9::text[], $10::int[])),
  chosen AS (
    SELECT DISTINCT ON (id COLLATE "C") id, domain FROM candidates
    ORDER BY id COLLATE "C", place, domain COLLATE "C" LIMIT $4)
  SELECT named.*, w.* FROM chosen named LEFT JOIN LATERAL ${WINNER} w ON true
  ORDER BY named.id COLLATE "C"`;

type CandidateRow = DomainMember | { id: string; type: null };

export async function listMembers(
  queries: Queries,
  view: DomainView,
  query: MemberQuery,
  after: string,
  limit: number,
): Promise<DomainMember[]> {
  const { path, folded } = await listedPart(queries, view, query);
  const below = folded.flatMap((child) => subtreeRanges(child, unlistedBelow(view, child)));
  const importedBelow = await listImportedBelow(queries, view, folded);
  const members: DomainMember[] = [];
  for (let last = after; members.length < limit;) {
    const wanted = limit - members.length;
    const imported = path === undefined ? [] : await listImports(queries, view, path, last, wanted);
    const rows = await queries.rows(
      LIST_MEMBERS,
      view.tenant,
      view.layers,
      last,
      wanted,
      path ?? null,
      ...columns(below, 'from', 'before'),
      ...columns(candidatesOf(path ?? '', imported, importedBelow, last), 'id', 'path', 'place'),
    );
    for (const row of rows) if (row.type !== null) members.push(row);
    if (rows.length < wanted) break;
    last = rows.at(-1)?.id ?? last;
  }
  return members;
}

/** Returns imported ids after an id; direct imports of the domain come first. */
function candidatesOf(
  path: string,
  imported: readonly string[],
  below: readonly Import[],
  after: string,
): (Import & { place: number })[] {
  return [
    ...imported.map((id) => ({ id, path, place: 0 })),
    ...below.filter(({ id }) => compareBytes(id, after) > 0).map((row) => ({ ...row, place: 2 })),
  ];
}

export async function getMembers(
  queries: Queries,
  view: DomainView,
  query: MemberQuery,
  ids: readonly string[],
): Promise<DomainMember[]> {
  const listed = await listedPart(queries, view, query);
  const winners = await listWinners(queries, view, ids);
  const importers = Map.groupBy(await listImporters(queries, view, ids), ({ id }) => id);
  return winners.flatMap((winner) => {
    const importing = importers.get(winner.id)?.map(({ path }) => path) ?? [];
    const domain = memberDomain(listed, winner.id, importing, (at) => isHidden(view, at));
    return domain === undefined ? [] : [{ ...winner, domain }];
  });
}

/** Lists the members of a small domain. Reads imports only if the result can contain any. */
export async function listSmall(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
  fewerThan: number,
): Promise<string[]> {
  const counts = await countDomains(queries, view, paths);
  const own = (path: string): number => counts.get(path)?.recursive_count ?? 0;
  const candidates = paths.filter((path) => own(path) < fewerThan);
  const importing = await listImporting(queries, view, candidates);
  const small: string[] = [];
  for (const path of candidates) {
    const room = fewerThan - own(path);
    if (!importing.has(path) || !(await importsMore(queries, view, path, room))) small.push(path);
  }
  return small;
}

async function importsMore(
  queries: Queries,
  view: DomainView,
  path: string,
  count: number,
): Promise<boolean> {
  const isOwn = (id: string): boolean => {
    const domain = parentPath(id);
    return isWithin(domain, path) && !isHidden(view, domain);
  };
  const seen = new Set<string>();
  let found = 0;
  for await (const rows of listImportsBelow(queries, view, path)) {
    const ids = rows.map(({ id }) => id).filter((id) => !seen.has(id) && !isOwn(id));
    for (const id of ids) seen.add(id);
    if (ids.length > 0) found += (await listWinners(queries, view, ids)).length;
    if (found >= count) return true;
  }
  return false;
}

// Lists, after `$3` and in order, the tags of domains with artifacts in a visible layer. Reads only as far as needed.
// `$6` ends the range; `$7` and `$8` are the ranges of unlisted domains.
const LIST_TAGS: Sql<TagRow> = `WITH chosen AS (
    SELECT DISTINCT d.path AS domain, m.id
    FROM (SELECT layer, path FROM domains
      WHERE tenant = $1 AND path >= $3 AND path < $6 AND layer = ANY($2::int[]) AND own
        AND NOT EXISTS (SELECT 1 FROM unnest($7::text[], $8::text[]) AS hole ("from", before)
          WHERE path >= hole."from" AND path < hole.before)) d
    CROSS JOIN LATERAL (SELECT id FROM domain_members
      WHERE tenant = $1 AND layer = d.layer AND domain = d.path AND (domain, id) > ($3, $4)) m
    ORDER BY d.path, m.id LIMIT $5)
  SELECT named.*, w.tags FROM chosen named LEFT JOIN LATERAL ${WINNER} w ON true
  ORDER BY named.domain, named.id`;

interface TagRow {
  domain: string;
  id: string;
  tags: Winner['tags'] | null;
}

export async function listTags(
  queries: Queries,
  view: DomainView,
  path: string,
  limit: number,
): Promise<(readonly string[])[]> {
  await loadUnlisted(queries, view, [path]);
  if (isHidden(view, path)) return [];
  const holes = unlistedBelow(view, path).flatMap((unlisted) => subtreeRanges(unlisted, []));
  const tags: (readonly string[])[] = [];
  for (const { from, before } of subtreeRanges(path, [])) {
    let last = { domain: from, id: '' };
    while (tags.length < limit) {
      const wanted = limit - tags.length;
      const rows = await queries.rows(
        LIST_TAGS,
        view.tenant,
        view.layers,
        last.domain,
        last.id,
        wanted,
        before,
        ...columns(holes, 'from', 'before'),
      );
      for (const row of rows) if (row.tags !== null) tags.push(row.tags);
      if (rows.length < wanted) break;
      last = rows.at(-1) ?? last;
    }
  }
  return tags;
}

async function listedPart(
  queries: Queries,
  view: DomainView,
  { path, folded }: MemberQuery,
): Promise<ListedQuery> {
  await loadUnlisted(queries, view, [path, ...folded]);
  return {
    path: isHidden(view, path) ? undefined : path,
    folded: folded.filter((child) => !isHidden(view, child)),
  };
}

async function listImportedBelow(
  queries: Queries,
  view: DomainView,
  folded: readonly string[],
): Promise<Import[]> {
  const imported: Import[] = [];
  for (const path of await listImporting(queries, view, folded)) {
    for await (const rows of listImportsBelow(queries, view, path)) imported.push(...rows);
  }
  return imported;
}
