import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  toRecentPage,
  type Edge,
  type RecentHead,
  type VersionReads,
} from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import { listCommits } from '../../shared/commits.ts';
import type { Sql } from '../../shared/sql.ts';
import { listExtending } from '../../shared/extending.ts';
import { countVersions, listVersions } from '../../shared/standings.ts';
import { batches } from '../pool/batches.ts';
import type { Reads } from '../../shared/queries.ts';
import { rejectionReads } from './rejections.ts';
import { VERSION_COLUMNS, toVersion, type VersionRow } from './rows.ts';
import { countView } from './view-counts.ts';
import { described, headsOf, listed, listViewPage, textsOf } from './view-page.ts';

const GET_VERSION: Sql<VersionRow> = `SELECT ${VERSION_COLUMNS} FROM versions
  WHERE tenant = $1 AND layer = $2 AND id = $3 AND version = $4`;
const READ_LEDGER: Sql<{ id: string; version: string; authored_hash: string }> =
  `SELECT l.id, l.version, l.authored_hash
  FROM unnest($3::text[], $4::text[]) AS named (id, version)
  CROSS JOIN LATERAL (
    SELECT id, version, authored_hash FROM version_ledger
    WHERE tenant = $1 AND layer_id = $2 AND id = named.id AND version = named.version LIMIT 1) l`;
const READ_BLOBS: Sql<{ content_hash: string; bytes: Buffer }> =
  `SELECT content_hash, bytes FROM blobs
  WHERE tenant = $1 AND content_hash = ANY($2::text[])`;
const LIST_HOLDERS: Sql<{ layer: LayerNumber; id: string; version: string }> =
  `SELECT layer, id, version FROM version_files
  WHERE tenant = $1 AND content_hash = $2 AND layer = ANY($3::int[])
  ORDER BY layer, id, version LIMIT $4`;
const LIST_EDGES_TO: Sql<Edge & { layer: LayerNumber }> =
  `SELECT e.from_id AS "from", e.to_id AS "to", e.kind, e.to_version, e.layer
  FROM unnest($3::int[]) AS visible (number)
  CROSS JOIN LATERAL (
    SELECT from_id, to_id, kind, to_version, layer FROM edges
    WHERE tenant = $1 AND to_id = $2 AND layer = visible.number AND (from_id, kind) > ($4, $5)
    ORDER BY from_id, kind LIMIT $6) e
  ORDER BY e.from_id, e.kind FETCH FIRST $6 ROWS WITH TIES`;
const LIST_HEAD_IDS: Sql<{ id: string; content_hash: string; version: string }> =
  `SELECT id, content_hash, version FROM heads
  WHERE tenant = $1 AND layer = $2 AND id > $3 ORDER BY id LIMIT $4`;
// Finds an artifact per MCP server name. Of two in the highest layer, the first id in byte order is used.
const FIND_SERVERS: Sql<{ place: number; id: string }> = `SELECT named.place, s.id
  FROM unnest($2::text[]) WITH ORDINALITY AS named (identifier_hash, place)
  CROSS JOIN LATERAL (
    SELECT id FROM server_heads
    WHERE tenant = $1 AND identifier_hash = named.identifier_hash AND (layer + 0) = ANY($3::int[])
    ORDER BY array_position($3::int[], layer) DESC, id LIMIT 1) s`;

// Reads the newest heads up to the limit from the index of each visible layer.
const LIST_RECENT: Sql<RecentHead> = `SELECT h.layer, h.id, h.ingested_at
  FROM unnest($2::int[]) AS visible (number)
  CROSS JOIN LATERAL (
    SELECT layer, id, ingested_at FROM heads
    WHERE tenant = $1 AND layer = visible.number AND (ingested_at, id) < ($3, $4)
    ORDER BY ingested_at DESC, id DESC LIMIT $5) h
  ORDER BY h.ingested_at DESC, h.id DESC LIMIT $5`;

const LIST_UNREFERENCED: Sql<{ content_hash: string }> = `SELECT named.content_hash
  FROM unnest($2::text[]) WITH ORDINALITY AS named (content_hash, place)
  WHERE NOT EXISTS (SELECT 1 FROM version_files f
    WHERE f.tenant = $1 AND f.content_hash = named.content_hash)
  ORDER BY named.place`;

export function versionReads(reads: Pick<Reads, 'run'>): VersionReads {
  const { run } = reads;
  return {
    ...rejectionReads(run),
    listHeadsOf: (tenant, layers, ids) =>
      run(tenant, (queries) => headsOf(queries, tenant, layers, ids)),
    readTexts: (tenant, layer, ids) =>
      run(tenant, (queries) => textsOf(queries, tenant, layer, ids)),
    listView: (tenant, layers, page) =>
      run(tenant, (queries) => listViewPage(queries, listed, tenant, layers, page)),
    describeView: (tenant, layers, page) =>
      run(tenant, (queries) => listViewPage(queries, described, tenant, layers, page)),
    countView: (tenant, layers) => run(tenant, (queries) => countView(queries, tenant, layers)),
    get: (tenant, layer, id, version) =>
      run(tenant, async (queries) => {
        const row = await queries.row(GET_VERSION, tenant, layer, id, version);
        return row && toVersion(row);
      }),
    listVersions: (tenant, layer, id) =>
      run(tenant, (queries) => listVersions(queries, tenant, layer, id)),
    listExtending: (tenant, ids) => run(tenant, (queries) => listExtending(queries, tenant, ids)),
    countVersions: (tenant, layer) =>
      run(tenant, (queries) => countVersions(queries, tenant, layer)),
    listCommits: (tenant, layer, id) =>
      run(tenant, (queries) => listCommits(queries, tenant, layer, id)),
    listRecent: (tenant, layers, { before, limit }) =>
      run(tenant, async (queries) => {
        const { ingested_at, id } = before;
        const heads = await queries.rows(LIST_RECENT, tenant, layers, ingested_at, id, limit);
        return toRecentPage(heads, limit);
      }),
    async readLedger(tenant, layer_id, keys) {
      const hashes = new Map<string, string>();
      for (const some of batches(keys)) {
        const ids = some.map(({ id }) => id);
        const versions = some.map(({ version }) => version);
        const rows = await run(tenant, (queries) =>
          queries.rows(READ_LEDGER, tenant, layer_id, ids, versions),
        );
        for (const row of rows) hashes.set(`${row.id}@${row.version}`, row.authored_hash);
      }
      return hashes;
    },
    async readBlobs(tenant, hashes) {
      const blobs = new Map<string, Uint8Array>();
      if (hashes.length === 0) return blobs;
      const rows = await run(tenant, (queries) => queries.rows(READ_BLOBS, tenant, hashes));
      for (const { content_hash, bytes } of rows) blobs.set(content_hash, bytes);
      return blobs;
    },
    listHoldersOf: (tenant, layers, content_hash, limit) =>
      run(tenant, (queries) => queries.rows(LIST_HOLDERS, tenant, content_hash, layers, limit)),
    async listUnreferenced(tenant, hashes) {
      const rows = await run(tenant, (queries) => queries.rows(LIST_UNREFERENCED, tenant, hashes));
      return rows.map(({ content_hash }) => content_hash);
    },
    listEdgesTo: (tenant, layers, id, { after, limit }) =>
      run(tenant, (queries) =>
        queries.rows(
          LIST_EDGES_TO,
          tenant,
          id,
          layers,
          after?.from ?? '',
          after?.kind ?? '',
          limit,
        ),
      ),
    listHeadIds: (tenant, layer, after, limit) =>
      run(tenant, (queries) => queries.rows(LIST_HEAD_IDS, tenant, layer, after, limit)),
    async findServers(tenant, layers, identifiers) {
      if (identifiers.length === 0) return new Map();
      const hashes = identifiers.map((identifier) => bytesHash(identifier));
      const rows = await run(tenant, (queries) =>
        queries.rows(FIND_SERVERS, tenant, hashes, layers),
      );
      return new Map(rows.map(({ place, id }) => [identifiers[place - 1] ?? '', id]));
    },
  };
}
