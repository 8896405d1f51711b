import { countChanges } from '@catalog/core/domain/count-changes';
import { mergeDomains, hasContent, type MergedDomain } from '@catalog/core/domain/merge-domains';
import type { Domain, DomainFields } from '@catalog/core/domain/read-domain';
import type { DomainRecord } from '@catalog/core/ports/domains';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { domainTerms } from '@catalog/core/search/domain-terms';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { storeCounts } from './counts.ts';
import type { FileKey } from './imports.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';
import { forgetWords, learnWords } from '../search/dictionary.ts';
import { languageFor } from '../search/indexing.ts';

/** Stores a `DOMAIN.md` with its data for listing and search; its imports are stored separately. */
export function putFile(
  connection: Connection,
  file: FileKey,
  { text, domain }: DomainRecord & { domain: Domain },
): void {
  removeFile(connection, file);
  const { tenant, layer, path } = file;
  connection
    .statement(
      'INSERT INTO domain_files (tenant, path, layer, fields, body, text) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(tenant, path, layer, JSON.stringify(domain.fields), domain.body, text);
  countFile(connection, file, 1);
  const alone = mergeDomains(path, [domain]);
  describeRow(connection, file, alone);
  putTerms(connection, file, alone);
}

export function removeFile(connection: Connection, file: FileKey): boolean {
  const { tenant, layer, path } = file;
  const { changes } = connection
    .statement('DELETE FROM domain_files WHERE tenant = ? AND path = ? AND layer = ?')
    .run(tenant, path, layer);
  if (Number(changes) === 0) return false;
  removeTerms(connection, file);
  describeRow(connection, file, undefined);
  countFile(connection, file, -1);
  return true;
}

function countFile(connection: Connection, { tenant, layer, path }: FileKey, by: number): void {
  const counts = countChanges();
  counts.noteFile(path, by);
  storeCounts(connection, tenant, layer, counts.list());
}

function describeRow(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  domain: MergedDomain | undefined,
): void {
  connection
    .statement(
      `UPDATE domains SET unlisted = ?, curated = ?, includes = ?, description = ?
       WHERE tenant = ? AND layer = ? AND parent = ? AND path = ?`,
    )
    .run(
      Number(domain?.unlisted === true),
      Number(domain !== undefined && hasContent(domain)),
      Number(domain !== undefined && domain.include.length > 0),
      domain?.description ?? null,
      tenant,
      layer,
      parentPath(path),
      path,
    );
}

function putTerms(
  connection: Connection,
  { tenant, layer, path }: FileKey,
  domain: MergedDomain,
): void {
  const insert = connection.statement(
    'INSERT INTO domain_postings (tenant, layer, term, path, impact) VALUES (?, ?, ?, ?, ?)',
  );
  const terms = domainTerms(domain, languageFor(connection, tenant));
  for (const [term, impact] of terms) insert.run(tenant, layer, term, path, impact);
  learnWords(connection, tenant, [...terms.keys()]);
}

export function renewTerms(connection: Connection, file: FileKey): void {
  removeTerms(connection, file);
  const { tenant, layer, path } = file;
  const alone = mergeFiles(connection, tenant, new Map([[layer, 0]]), path);
  if (alone !== undefined) putTerms(connection, file, alone);
}

function removeTerms(connection: Connection, { tenant, layer, path }: FileKey): void {
  const gone = connection
    .statement<{ term: string }>(
      `DELETE FROM domain_postings INDEXED BY domain_postings_file
       WHERE tenant = ? AND layer = ? AND path = ? RETURNING term`,
    )
    .all(tenant, layer, path);
  const terms = gone.map(({ term }) => term);
  forgetWords(connection, tenant, terms);
}

export function mergeFiles(
  connection: Connection,
  tenant: Tenant,
  ranks: ReadonlyMap<LayerNumber, number>,
  path: string,
): MergedDomain | undefined {
  const files = connection
    .statement<{ layer: LayerNumber; fields: JsonText<DomainFields>; body: string }>(
      'SELECT layer, fields, body FROM domain_files WHERE tenant = ? AND path = ?',
    )
    .all(tenant, path)
    .filter(({ layer }) => ranks.has(layer))
    .sort((a, b) => (ranks.get(a.layer) ?? 0) - (ranks.get(b.layer) ?? 0));
  if (files.length === 0) return undefined;
  return mergeDomains(
    path,
    files.map(({ layer, fields, body }) => ({
      path,
      layer: String(layer),
      fields: readJson(fields),
      body,
    })),
  );
}
