import { holderOf, replacedLayerId } from '@catalog/core/layer/layer-holder';
import type { LayerReads, LayerRecord, LayerWrites, NewLayer } from '@catalog/core/ports/layers';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, insertInto, parametersOf, plainTable, readRow } from './table.ts';

const LAYERS = plainTable('layers');

const SELECT = `SELECT ${columnNames(LAYERS, 'l')}, n.revision
  FROM layers l JOIN layer_numbers n ON n.tenant = l.tenant AND n.number = l.number
  WHERE l.tenant = $1`;
/** If the layer does not exist, another one is read, so that the response time does not reveal which layers exist. */
const GET: Sql<LayerRow> = `SELECT * FROM (${SELECT} AND n.id = $2) wanted
  UNION ALL SELECT * FROM (${SELECT} LIMIT 1) other LIMIT 1`;
const LIST = `${SELECT} AND l.deleted_at IS NULL`;
const LIST_DELETED = `${SELECT} AND l.deleted_at IS NOT NULL`;
const INSERT = insertInto(LAYERS);
const TAKE_NUMBER: Sql<{ number: LayerNumber }> = `INSERT INTO layer_numbers (tenant, id, number)
  VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM layer_numbers WHERE tenant = $1))
  ON CONFLICT (tenant, id) DO NOTHING RETURNING number`;
const GET_NUMBER: Sql<KnownNumber> =
  'SELECT number, holder FROM layer_numbers WHERE tenant = $1 AND id = $2';
const RENAME_NUMBER = 'UPDATE layer_numbers SET id = $3 WHERE tenant = $1 AND number = $2';
const GET_HOLDER: Sql<Pick<LayerRecord, 'user_defined' | 'owner'>> =
  'SELECT user_defined, owner FROM layers WHERE tenant = $1 AND number = $2';
const KEEP_HOLDER =
  'UPDATE layer_numbers SET holder = $3, copy_bytes = 0 WHERE tenant = $1 AND number = $2';
const NOTE_INGEST = `UPDATE layers
  SET last_ingested_at = $3, last_ingested_ref = $4, source_state = $5, frozen_since = NULL
  WHERE tenant = $1 AND number = $2`;
const NOTE_FROZEN = 'UPDATE layers SET frozen_since = $3 WHERE tenant = $1 AND number = $2';
const NOTE_COPY = `UPDATE layer_numbers SET copy_bytes = $3
  WHERE tenant = $1 AND number = $2 AND copy_bytes <> $3`;
const REMOVE = 'DELETE FROM layers WHERE tenant = $1 AND number = $2';

export type ReadRevision = (tenant: Tenant) => Promise<number>;

export function layerReads(run: Run, dialect: Dialect, revision: ReadRevision): LayerReads {
  return {
    get: (tenant, id) => run(tenant, (queries) => getLayer(queries, tenant, id)),
    list: (tenant) => run(tenant, (queries) => listLayers(queries, LIST, tenant)),
    listDeleted: (tenant) => run(tenant, (queries) => listLayers(queries, LIST_DELETED, tenant)),
    async findByWebhookKey(key) {
      if (key === '') return undefined;
      const found = await run(NO_TENANT, (queries) => queries.row(dialect.TENANT_OF_WEBHOOK, key));
      if (found === undefined) return undefined;
      const { tenant, id } = found;
      const layer = await run(tenant, (queries) => getLayer(queries, tenant, id));
      return layer?.webhook_key === key ? { tenant, layer } : undefined;
    },
    revision,
  };
}

export function layerWrites(
  transaction: Transaction,
  dialect: Dialect,
  revision: ReadRevision,
  purge: LayerWrites['purge'],
): LayerWrites {
  const { run } = transaction;
  return {
    ...layerReads(run, dialect, revision),
    async create(tenant, layer) {
      const record = await run(tenant, async (queries) => {
        const number = await takeNumber(queries, dialect, tenant, layer);
        await insertLayer(queries, { ...layer, tenant, number });
        return getLayer(queries, tenant, layer.id);
      });
      if (record === undefined) throw new Error(`Layer ${layer.id} was not stored.`);
      transaction.touchTenant(tenant);
      return record;
    },
    async replace(tenant, layer) {
      await run(tenant, (queries) => replaceLayer(queries, tenant, layer));
      transaction.touchTenant(tenant);
    },
    async setAside(tenant, layer, now) {
      const id = replacedLayerId(layer);
      const deleted_at = layer.deleted_at ?? now;
      await run(tenant, async (queries) => {
        const replaced = { ...layer, id, deleted_at, webhook_secret: '', webhook_key: '' };
        await replaceLayer(queries, tenant, replaced);
        await renameNumber(queries, dialect, tenant, layer, id);
      });
      transaction.touchTenant(tenant);
    },
    noteIngest: (tenant, number, { last_ingested_at, last_ingested_ref, source_state }) =>
      run(tenant, async (queries) => {
        await queries.run(
          NOTE_INGEST,
          tenant,
          number,
          last_ingested_at,
          last_ingested_ref,
          source_state,
        );
      }),
    noteFrozen: (tenant, number, since) =>
      run(tenant, async (queries) => void (await queries.run(NOTE_FROZEN, tenant, number, since))),
    noteCopy: (tenant, number, bytes) =>
      run(tenant, async (queries) => void (await queries.run(NOTE_COPY, tenant, number, bytes))),
    touch: (tenant, number) => transaction.touchLayer(tenant, number),
    async purge(tenant, number) {
      await run(tenant, (queries) => keepHolder(queries, tenant, number));
      await purge(tenant, number);
      // Cached data of the former layer must not be used for a new layer with the same id.
      await transaction.touchLayer(tenant, number);
    },
  };
}

async function getLayer(
  queries: Queries,
  tenant: Tenant,
  id: string,
): Promise<LayerRecord | undefined> {
  const row = await queries.row(GET, tenant, id);
  const layer = row && toLayer(row);
  return layer?.id === id ? layer : undefined;
}

async function replaceLayer(queries: Queries, tenant: Tenant, layer: LayerRecord): Promise<void> {
  await queries.run(REMOVE, tenant, layer.number);
  await insertLayer(queries, { ...layer, tenant });
}

/** Returns the number of a layer id, which the same owner keeps when the layer is registered again. */
async function takeNumber(
  queries: Queries,
  dialect: Dialect,
  tenant: Tenant,
  layer: NewLayer,
): Promise<number> {
  const { id } = layer;
  for (;;) {
    const taken = await queries.row(TAKE_NUMBER, tenant, id);
    if (taken !== undefined) return taken.number;
    const before = await queries.row(GET_NUMBER, tenant, id);
    if (before === undefined) throw new Error(`Layer ${id} got no number.`);
    const { number, holder } = before;
    if (holder === null || holder === holderOf(layer)) return number;
    await renameNumber(queries, dialect, tenant, { id, number }, replacedLayerId({ id, number }));
  }
}

interface KnownNumber {
  number: LayerNumber;
  holder: string | null;
}

async function renameNumber(
  queries: Queries,
  dialect: Dialect,
  tenant: Tenant,
  { id, number }: Pick<LayerRecord, 'id' | 'number'>,
  renamed: string,
): Promise<void> {
  await queries.run(RENAME_NUMBER, tenant, number, renamed);
  await queries.run(dialect.SET_LEDGER_ASIDE, tenant, id, renamed);
}

async function keepHolder(queries: Queries, tenant: Tenant, number: LayerNumber): Promise<void> {
  const layer = await queries.row(GET_HOLDER, tenant, number);
  if (layer !== undefined) await queries.run(KEEP_HOLDER, tenant, number, holderOf(layer));
}

function insertLayer(queries: Queries, layer: PlainRows['layers']): Promise<number> {
  return queries.run(INSERT, ...parametersOf(LAYERS, layer));
}

type LayerRow = LayerRecord & { tenant: Tenant };

async function listLayers(
  queries: Queries,
  sql: Sql<LayerRow>,
  tenant: Tenant,
): Promise<LayerRecord[]> {
  const rows = await queries.rows(sql, tenant);
  return rows.map(toLayer);
}

function toLayer(row: LayerRow): LayerRecord {
  const { tenant: _, ...layer } = readRow(LAYERS, row);
  return { ...layer, revision: row.revision };
}
