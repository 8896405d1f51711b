import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type {
  SignatureReads,
  SignatureWrites,
  StoredSignature,
  UnsignedVersion,
} from '@catalog/core/ports/signatures';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Queries, Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type Row = PlainRows['version_signatures'];

const SIGNATURES = plainTable('version_signatures');
const COLUMNS = columnNames(SIGNATURES);
const GET: Sql<Row> = `SELECT ${COLUMNS} FROM version_signatures
  WHERE tenant = $1 AND layer = $2 AND id = $3 AND version = $4`;
const FIND: Sql<Row> = `SELECT ${COLUMNS} FROM version_signatures
  WHERE tenant = $1 AND layer = ANY ($2) AND content_hash = ANY ($3)
  ORDER BY id, version, layer LIMIT $4`;
const FIND_OF_IDS: Sql<Row> = `SELECT ${COLUMNS} FROM version_signatures
  WHERE tenant = $1 AND layer = ANY ($2) AND content_hash = ANY ($3) AND id = ANY ($5)
  ORDER BY id, version, layer LIMIT $4`;
const LIST_UNSIGNED: Sql<UnsignedVersion> = `SELECT v.layer, v.id, v.version, v.type,
    v.content_hash, v.sensitivity, v.source_commit
  FROM versions v LEFT JOIN version_signatures s ON s.tenant = v.tenant AND s.layer = v.layer
    AND s.id = v.id AND s.version = v.version AND s.key_id = ANY ($5)
  WHERE v.tenant = $1 AND (v.layer, v.id, v.version) > ($2, $3, $4) AND s.key_id IS NULL
  ORDER BY v.layer, v.id, v.version LIMIT $6`;
const REPLACE = `ON CONFLICT (tenant, layer, id, version) DO UPDATE
  SET content_hash = excluded.content_hash, key_id = excluded.key_id,
    payload = excluded.payload, signature = excluded.signature, signed_at = excluded.signed_at`;

export function signatureReads(run: Run): SignatureReads {
  return {
    get: (tenant, { layer, id, version }) =>
      run(tenant, async (queries) => {
        const row = await queries.row(GET, tenant, layer, id, version);
        return row && toSignature(row);
      }),
    find: (tenant, { layers, content_hashes, ids, limit }) =>
      run(tenant, async (queries) => {
        const wanted = [tenant, layers, content_hashes, limit] as const;
        const rows = await findRows(queries, wanted, ids);
        return rows.map(toSignature);
      }),
    listUnsigned: (tenant, { key_ids, after, limit }) =>
      run(tenant, (queries) =>
        queries.rows(LIST_UNSIGNED, tenant, after.layer, after.id, after.version, key_ids, limit),
      ),
  };
}

function findRows(
  queries: Queries,
  wanted: readonly [Tenant, LayerStack, readonly string[], number],
  ids: readonly string[] | undefined,
): Promise<Row[]> {
  return ids === undefined
    ? queries.rows(FIND, ...wanted)
    : queries.rows(FIND_OF_IDS, ...wanted, ids);
}

function toSignature(row: Row): StoredSignature {
  const { tenant: _tenant, ...signature } = readRow(SIGNATURES, row);
  return signature;
}

export function signatureWrites({ run }: Transaction): SignatureWrites {
  return {
    ...signatureReads(run),
    async put(tenant, signatures) {
      if (signatures.length === 0) return;
      const rows = signatures.map((signature) => ({ tenant, ...signature }));
      await run(tenant, (queries) => queries.insert(SIGNATURES, rows, REPLACE));
    },
  };
}
