import { readDomain, type Domain } from '@catalog/core/domain/read-domain';
import { BACKED_UP_TABLES, type ArchiveRows, type ArchiveTable } from '@catalog/core/ports/archive';
import type { BackedUpTable } from '@catalog/core/ports/plain-tables';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionRecord } from '@catalog/core/ports/versions';
import { toHead } from '../registry/ingest/choose-head.ts';
import { readStoredText } from '../registry/ingest/load-stored-artifact.ts';
import { serveHeads, serverIdentifier, type NewHead } from '../registry/ingest/put-versions.ts';

export type LayerIds = (tenant: Tenant, number: LayerNumber) => string;

interface Place {
  tenant: Tenant;
  layers: LayerIds;
}

export async function restoreRows<Table extends ArchiveTable>(
  writes: StoreWrites,
  table: Table,
  rows: readonly ArchiveRows[Table][],
  place: Place,
): Promise<void> {
  await RESTORE[table](writes, rows, place);
}

type Restore<Table extends ArchiveTable> = (
  writes: StoreWrites,
  rows: readonly ArchiveRows[Table][],
  place: Place,
) => Promise<void>;

function plainRestores(): { [Table in BackedUpTable]: Restore<Table> };
function plainRestores(): Record<string, Restore<never>> {
  return Object.fromEntries(BACKED_UP_TABLES.map((table) => [table, restorePlain(table)]));
}

function restorePlain<Table extends BackedUpTable>(table: Table): Restore<Table> {
  return ({ archive }, rows, { tenant }) => archive.put(tenant, table, rows);
}

const RESTORE: { [Table in ArchiveTable]: Restore<Table> } = {
  ...plainRestores(),
  blobs: ({ versions }, rows, { tenant }) => versions.putBlobs(tenant, rows),
  async versions(writes, rows, { tenant, layers }) {
    for (const [layer, some] of Map.groupBy(rows, (row) => row.layer)) {
      const versions = some.map((row) => ({ ...row, source_commit: row.source_commit ?? null }));
      await writes.versions.putVersions(tenant, layers(tenant, layer), versions);
      const standings = some.flatMap(({ id, version, standing }) =>
        standing ? [{ id, version, ...standing }] : [],
      );
      await writes.versions.putStandings(tenant, layer, standings);
      await restoreHeads(writes, versions, { tenant, layer, layer_id: layers(tenant, layer) });
    }
  },
  async rejections({ versions }, rows, { tenant }) {
    for (const [layer, some] of Map.groupBy(rows, (row) => row.layer)) {
      await versions.putRejections(tenant, layer, some);
    }
  },
  async domains({ domains }, rows, { tenant, layers }) {
    for (const [layer, some] of Map.groupBy(rows, (row) => row.layer)) {
      const id = layers(tenant, layer);
      await domains.putDomains(
        tenant,
        layer,
        some.map(({ path, text }) => ({ path, text, domain: parseDomain(path, text, id) })),
      );
    }
  },
};

/** Restores heads and updates counts, search and domains like an ingest. */
async function restoreHeads(
  writes: StoreWrites,
  rows: readonly (VersionRecord & Pick<ArchiveRows['versions'], 'head'>)[],
  { tenant, layer, layer_id }: { tenant: Tenant; layer: LayerNumber; layer_id: string },
): Promise<void> {
  const heads = rows.flatMap((version): NewHead[] => {
    const { head } = version;
    if (head === null) return [];
    const server_identifier =
      version.type === 'mcp-server' ? serverIdentifier(readStoredText(version, layer_id)) : null;
    const edges = head.edges.map((edge) => ({ from: version.id, ...edge }));
    return [{ ...toHead(version), edges, server_identifier }];
  });
  await serveHeads(writes, tenant, layer, heads, NOTHING_SERVED);
}

const NOTHING_SERVED = { heads: new Map() };

function parseDomain(path: string, text: string, layer: string): Domain {
  const reading = readDomain({ path, bytes: new TextEncoder().encode(text) }, layer);
  if (reading.kind === 'ok') return reading.domain;
  throw new Error(`The DOMAIN.md of ${path} in ${layer} cannot be read.`);
}
