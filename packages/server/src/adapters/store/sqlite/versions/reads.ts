import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toRecentPage } from '@catalog/core/ports/versions';
import type {
  Edge,
  EdgePlace,
  HeadRecord,
  HeadText,
  LayerStack,
  RecentHead,
  RecentPage,
  RecentPlace,
  VersionReads,
} from '@catalog/core/ports/versions';
import type { Sql } from '../../shared/sql.ts';
import type { Connection, Run } from '../connection/connection.ts';
import { listCommits } from '../../shared/commits.ts';
import { listExtending } from '../../shared/extending.ts';
import { countVersions, listVersions } from '../../shared/standings.ts';
import { queriesOver } from '../connection/queries.ts';
import { LIMIT } from '../connection/limit.ts';
import { rejectionReads } from './rejections.ts';
import { inSteps } from '../connection/steps.ts';
import { VERSION_COLUMNS, toVersion, type VersionRow } from './rows.ts';
import { countView } from './view-counts.ts';
import { described, headsOf, listed, listViewPage, textsOf } from './view-page.ts';

const GET_VERSION: Sql<VersionRow> = `SELECT ${VERSION_COLUMNS} FROM versions
  WHERE tenant = ? AND layer = ? AND id = ? AND version = ?`;

const READ_LEDGER: Sql<{ id: string; version: string; authored_hash: string }> =
  `SELECT l.id, l.version, l.authored_hash
  FROM json_each(?3) named CROSS JOIN version_ledger l ON l.tenant = ?1 AND l.layer_id = ?2
    AND l.id = named.value ->> 0 AND l.version = named.value ->> 1`;

export function versionReads(run: Run): VersionReads {
  return {
    ...rejectionReads(run),
    async listHeadsOf(tenant, layers, ids) {
      const heads: HeadRecord[] = [];
      await inSteps(run, ids, (connection, some) => {
        heads.push(...headsOf(connection, tenant, layers, some));
      });
      return heads;
    },
    async readTexts(tenant, layer, ids) {
      const texts: HeadText[] = [];
      await inSteps(run, ids, (connection, some) => {
        texts.push(...textsOf(connection, tenant, layer, some));
      });
      return texts;
    },
    listView: (tenant, layers, page) =>
      run((connection) => listViewPage(connection, listed, tenant, layers, page)),
    describeView: (tenant, layers, page) =>
      run((connection) => listViewPage(connection, described, tenant, layers, page)),
    countView: (tenant, layers) => run((connection) => countView(connection, tenant, layers)),
    get: (tenant, layer, id, version) =>
      run((connection) => {
        const row = connection.statement(GET_VERSION).get(tenant, layer, id, version);
        return row && toVersion(row);
      }),
    listVersions: (tenant, layer, id) => listVersions(queriesOver(run), tenant, layer, id),
    listExtending: (tenant, ids) => listExtending(queriesOver(run), tenant, ids),
    countVersions: (tenant, layer) => countVersions(queriesOver(run), tenant, layer),
    listCommits: (tenant, layer, id) => listCommits(queriesOver(run), tenant, layer, id),
    listRecent: (tenant, layers, page) =>
      run((connection) => listRecent(connection, tenant, layers, page)),
    async readLedger(tenant, layer_id, keys) {
      const hashes = new Map<string, string>();
      await inSteps(run, keys, (connection, some) => {
        const rows = connection
          .statement(READ_LEDGER)
          .all(tenant, layer_id, JSON.stringify(some.map(({ id, version }) => [id, version])));
        for (const row of rows) hashes.set(`${row.id}@${row.version}`, row.authored_hash);
      });
      return hashes;
    },
    async readBlobs(tenant, hashes) {
      const blobs = new Map<string, Uint8Array>();
      await inSteps(run, hashes, (connection, some) => {
        const statement = connection.statement<{ bytes: Uint8Array }>(
          'SELECT bytes FROM blobs WHERE tenant = ? AND content_hash = ?',
        );
        for (const hash of some) {
          const row = statement.get(tenant, hash);
          if (row !== undefined) blobs.set(hash, row.bytes);
        }
      });
      return blobs;
    },
    listHoldersOf: (tenant, layers, content_hash, limit) =>
      run((connection) =>
        connection
          .statement<{ layer: LayerNumber; id: string; version: string }>(
            `SELECT v.layer, v.id, v.version
             FROM version_files f JOIN versions v ON v.vid = f.vid
             WHERE f.tenant = ? AND f.content_hash = ?
               AND instr(?, ',' || v.layer || ',') > 0 ORDER BY f.vid ${LIMIT}`,
          )
          // A list parameter would be read only if a layer has the object, so the response time would reveal hidden
          // layers.
          .all(tenant, content_hash, `,${layers.join(',')},`, limit),
      ),
    async listUnreferenced(tenant, hashes) {
      const unreferenced: string[] = [];
      await inSteps(run, hashes, (connection, some) => {
        const statement = connection.statement<{ vid: number }>(
          'SELECT vid FROM version_files WHERE tenant = ? AND content_hash = ? LIMIT 1',
        );
        unreferenced.push(...some.filter((hash) => statement.get(tenant, hash) === undefined));
      });
      return unreferenced;
    },
    listEdgesTo: (tenant, layers, id, page) =>
      run((connection) => listEdgesTo(connection, tenant, layers, id, page)),
    listHeadIds: (tenant, layer, after, limit) =>
      run((connection) =>
        connection
          .statement<{ id: string; content_hash: string; version: string }>(
            `SELECT id, content_hash, version FROM heads
             WHERE tenant = ? AND layer = ? AND id > ? ORDER BY id ${LIMIT}`,
          )
          .all(tenant, layer, after, limit),
      ),
    findServers: (tenant, layers, identifiers) =>
      run((connection) => findServers(connection, tenant, layers, identifiers)),
  };
}

function listRecent(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  { before, limit }: { before: RecentPlace; limit: number },
): RecentPage {
  const statement = connection.statement<RecentHead>(
    `SELECT layer, id, ingested_at FROM heads INDEXED BY heads_recent
     WHERE tenant = ? AND layer = ? AND (ingested_at, id) < (?, ?)
     ORDER BY ingested_at DESC, id DESC ${LIMIT}`,
  );
  const heads = layers
    .flatMap((layer) => statement.all(tenant, layer, before.ingested_at, before.id, limit))
    .sort((a, b) => compareBytes(b.ingested_at, a.ingested_at) || compareBytes(b.id, a.id))
    .slice(0, limit);
  return toRecentPage(heads, limit);
}

function listEdgesTo(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  id: string,
  { after, limit }: { after: EdgePlace | undefined; limit: number },
): (Edge & { layer: LayerNumber })[] {
  const statement = connection.statement<Edge & { layer: LayerNumber }>(
    `SELECT from_id AS "from", to_id AS "to", kind, to_version, layer FROM edges
     WHERE tenant = ? AND to_id = ? AND layer = ? AND (from_id, kind) > (?, ?)
     ORDER BY from_id, kind ${LIMIT}`,
  );
  const { from, kind } = after ?? { from: '', kind: '' };
  const edges = layers
    .flatMap((layer) => statement.all(tenant, id, layer, from, kind, limit))
    .sort(compareEdges);
  const last = edges[limit - 1];
  return last === undefined ? edges : edges.filter((edge) => compareEdges(edge, last) <= 0);
}

function compareEdges(a: EdgePlace, b: EdgePlace): number {
  return compareBytes(a.from, b.from) || compareBytes(a.kind, b.kind);
}

/** Finds the id in the highest layer; of two, the first in byte order. */
function findServers(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  identifiers: readonly string[],
): ReadonlyMap<string, string> {
  const statement = connection.statement<{ layer: LayerNumber; id: string }>(
    'SELECT layer, id FROM heads WHERE tenant = ? AND server_identifier = ? ORDER BY id',
  );
  const found = new Map<string, string>();
  for (const identifier of identifiers) {
    let best = -1;
    for (const { layer, id } of statement.all(tenant, identifier)) {
      const rank = layers.indexOf(layer);
      if (rank <= best) continue;
      best = rank;
      found.set(identifier, id);
    }
  }
  return found;
}
