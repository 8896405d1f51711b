import { countChanges } from '@catalog/core/domain/count-changes';
import { mergeDomains, hasContent, type MergedDomain } from '@catalog/core/domain/merge-domains';
import type { Domain, DomainFields } from '@catalog/core/domain/read-domain';
import type { DomainRecord } from '@catalog/core/ports/domains';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { domainTerms } from '@catalog/core/search/domain-terms';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { storeCounts } from './counts.ts';
import type { Queries } from '../../shared/queries.ts';
import { languageFor } from '../search/indexing.ts';

export type NewFile = DomainRecord & { domain: Domain };

const REMOVE_FILES: Sql<{ path: string }> = `DELETE FROM domain_files
  WHERE tenant = $1 AND layer = $2 AND path = ANY($3::text[]) RETURNING path`;
const REMOVE_POSTINGS = `DELETE FROM domain_postings
  WHERE tenant = $1 AND layer = $2 AND path = ANY($3::text[])`;
const ADD_FILES = `INSERT INTO domain_files (tenant, layer, path, fields, body, text)
  SELECT $1, $2, * FROM unnest($3::text[], $4::json[], $5::text[], $6::text[])`;
const ADD_POSTINGS = `INSERT INTO domain_postings (tenant, layer, path, term, impact)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::int[])`;
const DESCRIBE = `UPDATE domains d SET unlisted = n.unlisted, curated = n.curated,
    includes = n.includes, description = n.description
  FROM unnest($3::text[], $4::boolean[], $5::boolean[], $6::boolean[], $7::text[])
    AS n (path, unlisted, curated, includes, description)
  WHERE d.tenant = $1 AND d.layer = $2 AND d.path = n.path`;

/** Replaces the `DOMAIN.md` files of a layer. Imports are stored in another table. */
export async function replaceFiles(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  paths: readonly string[],
  files: readonly NewFile[],
): Promise<void> {
  const counts = countChanges();
  const removed = await queries.rows(REMOVE_FILES, tenant, layer, paths);
  await queries.run(REMOVE_POSTINGS, tenant, layer, paths);
  for (const { path } of removed) counts.noteFile(path, -1);
  for (const { path } of files) counts.noteFile(path, 1);
  const alone = new Map(files.map(({ path, domain }) => [path, mergeDomains(path, [domain])]));
  if (files.length > 0) {
    await addFiles(queries, tenant, layer, files);
    await addTerms(queries, tenant, layer, [...alone.values()]);
  }
  await storeCounts(queries, tenant, layer, counts.list());
  const described = paths.map((path) => describe(path, alone.get(path)));
  await queries.run(DESCRIBE, tenant, layer, ...columns(described, ...DESCRIBED));
}

const DESCRIBED = ['path', 'unlisted', 'curated', 'includes', 'description'] as const;

function describe(
  path: string,
  domain: MergedDomain | undefined,
): Record<(typeof DESCRIBED)[number], string | boolean | null> {
  return {
    path,
    unlisted: domain?.unlisted === true,
    curated: domain !== undefined && hasContent(domain),
    includes: domain !== undefined && domain.include.length > 0,
    description: domain?.description ?? null,
  };
}

async function addFiles(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  files: readonly NewFile[],
): Promise<void> {
  const rows = files.map(({ path, text, domain: { fields, body } }) => ({
    path,
    fields: JSON.stringify(fields),
    body,
    text,
  }));
  await queries.run(ADD_FILES, tenant, layer, ...columns(rows, 'path', 'fields', 'body', 'text'));
}

export async function renewTerms(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  paths: readonly string[],
): Promise<void> {
  await queries.run(REMOVE_POSTINGS, tenant, layer, paths);
  const files = await mergeFiles(queries, tenant, [layer], paths);
  await addTerms(queries, tenant, layer, [...files.values()]);
}

async function addTerms(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  domains: readonly MergedDomain[],
): Promise<void> {
  const language = await languageFor(queries, tenant);
  const postings = domains.flatMap((domain) =>
    [...domainTerms(domain, language)].map(([term, impact]) => ({
      path: domain.path,
      term,
      impact,
    })),
  );
  await queries.run(ADD_POSTINGS, tenant, layer, ...columns(postings, 'path', 'term', 'impact'));
}

const LIST_FILES: Sql<FileRow> = `SELECT f.* FROM unnest($3::text[]) AS named (path)
  CROSS JOIN LATERAL (SELECT path, layer, fields, body, count(*) OVER () AS files FROM domain_files
    WHERE tenant = $1 AND path = named.path AND (layer + 0) = ANY($2::int[])
    ORDER BY array_position($2::int[], layer)) f
  WHERE f.files >= $4`;

interface FileRow {
  path: string;
  layer: LayerNumber;
  fields: DomainFields;
  body: string;
}

export async function mergeFiles(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  paths: readonly string[],
  atLeast = 1,
): Promise<ReadonlyMap<string, MergedDomain>> {
  if (paths.length === 0) return new Map();
  const rows = await queries.rows(LIST_FILES, tenant, layers, paths, atLeast);
  const merged = [...Map.groupBy(rows, ({ path }) => path)].map(([path, files]) =>
    mergeDomains(
      path,
      files.map(({ layer, fields, body }) => ({ path, layer: String(layer), fields, body })),
    ),
  );
  return new Map(merged.map((domain) => [domain.path, domain]));
}
