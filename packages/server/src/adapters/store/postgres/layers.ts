import { holderOf, replacedLayerId } from '@catalog/core/layer/layer-holder';
import type { LayerReads, LayerRecord, LayerWrites, NewLayer } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { NO_TENANT, type Parameter, type Queries, type Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

/** The columns of a layer, in the order of their table. */
const COLUMNS = [
  'number',
  'id',
  'order',
  'user_defined',
  'public',
  'organization',
  'groups',
  'users',
  'source_type',
  'repo',
  'ref',
  'root',
  'local_path',
  'owner',
  'git_provider',
  'force_push_policy',
  'created_at',
  'deleted_at',
  'last_ingested_at',
  'last_ingested_ref',
  'webhook_secret',
  'webhook_key',
  'source_state',
] as const satisfies readonly (keyof Omit<LayerRecord, 'revision'>)[];

const names = COLUMNS.map((column) => `"${column}"`);
/** As a statement names them. */
export const LAYER_COLUMNS = names.join(', ');
const SELECT = `SELECT ${names.map((name) => `l.${name}`).join(', ')}, n.revision
  FROM layers l JOIN layer_numbers n ON n.tenant = l.tenant AND n.number = l.number
  WHERE l.tenant = $1`;
/**
 * Any other layer stands in for one that is not there, and is read as it would have been: who may not
 * know of a layer cannot tell by the time either.
 */
const GET = `(${SELECT} AND n.id = $2) UNION ALL (${SELECT} LIMIT 1) LIMIT 1`;
const LIST = `${SELECT} AND l.deleted_at IS NULL`;
const LIST_DELETED = `${SELECT} AND l.deleted_at IS NOT NULL`;
export const INSERT_LAYER = `INSERT INTO layers (tenant, ${LAYER_COLUMNS})
  VALUES ($1, ${COLUMNS.map((_, at) => `$${at + 2}`).join(', ')})`;
const TAKE_NUMBER = `INSERT INTO layer_numbers (tenant, id, number)
  VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM layer_numbers WHERE tenant = $1))
  ON CONFLICT (tenant, id) DO NOTHING RETURNING number`;
const GET_NUMBER = 'SELECT number, holder FROM layer_numbers WHERE tenant = $1 AND id = $2';
const RENAME_NUMBER = 'UPDATE layer_numbers SET id = $3 WHERE tenant = $1 AND number = $2';
const RENAME_LEDGER = 'UPDATE version_ledger SET layer_id = $3 WHERE tenant = $1 AND layer_id = $2';
const GET_HOLDER = 'SELECT user_defined, owner FROM layers WHERE tenant = $1 AND number = $2';
const KEEP_HOLDER =
  'UPDATE layer_numbers SET holder = $3, copy_bytes = 0 WHERE tenant = $1 AND number = $2';
const NOTE_INGEST = `UPDATE layers
  SET last_ingested_at = $3, last_ingested_ref = $4, source_state = $5
  WHERE tenant = $1 AND number = $2`;
const NOTE_COPY = `UPDATE layer_numbers SET copy_bytes = $3
  WHERE tenant = $1 AND number = $2 AND copy_bytes <> $3`;
const REMOVE = 'DELETE FROM layers WHERE tenant = $1 AND number = $2';

/** How the revision of a tenant is looked at, from this side of a commit. */
export type LookAtRevision = (tenant: Tenant) => Promise<number>;

export function layerReads(run: Run, revision: LookAtRevision): LayerReads {
  return {
    get: (tenant, id) => run(tenant, (queries) => getLayer(queries, tenant, id)),
    list: (tenant) => run(tenant, (queries) => queries.rows<LayerRecord>(LIST, tenant)),
    listDeleted: (tenant) =>
      run(tenant, (queries) => queries.rows<LayerRecord>(LIST_DELETED, tenant)),
    async findByWebhookKey(key) {
      const found = await run(NO_TENANT, (queries) =>
        queries.row<{ tenant: Tenant; id: string }>('SELECT * FROM tenant_of_webhook($1)', key),
      );
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
  revision: LookAtRevision,
  purge: LayerWrites['purge'],
): LayerWrites {
  const { run } = transaction;
  return {
    ...layerReads(run, revision),
    async create(tenant, layer) {
      const record = await run(tenant, async (queries) => {
        const number = await takeNumber(queries, tenant, layer);
        await queries.run(INSERT_LAYER, tenant, ...layerParameters({ ...layer, number }));
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
        await renameNumber(queries, tenant, layer, id);
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
    noteCopy: (tenant, number, bytes) =>
      run(tenant, async (queries) => void (await queries.run(NOTE_COPY, tenant, number, bytes))),
    touch: (tenant, number) => transaction.touchLayer(tenant, number),
    async purge(tenant, number) {
      await run(tenant, (queries) => keepHolder(queries, tenant, number));
      await purge(tenant, number);
      // When the id is registered again, nothing derived from what it held may pass for current.
      await transaction.touchLayer(tenant, number);
    },
  };
}

async function getLayer(
  queries: Queries,
  tenant: Tenant,
  id: string,
): Promise<LayerRecord | undefined> {
  const layer = await queries.row<LayerRecord>(GET, tenant, id);
  return layer?.id === id ? layer : undefined;
}

async function replaceLayer(queries: Queries, tenant: Tenant, layer: LayerRecord): Promise<void> {
  await queries.run(REMOVE, tenant, layer.number);
  await queries.run(INSERT_LAYER, tenant, ...layerParameters(layer));
}

/** The number the id had before for the same holder, or the next one. */
async function takeNumber(queries: Queries, tenant: Tenant, layer: NewLayer): Promise<number> {
  const { id } = layer;
  for (;;) {
    const taken = await queries.row<{ number: number }>(TAKE_NUMBER, tenant, id);
    if (taken !== undefined) return taken.number;
    const before = await queries.row<KnownNumber>(GET_NUMBER, tenant, id);
    if (before === undefined) throw new Error(`Layer ${id} got no number.`);
    const { number, holder } = before;
    if (holder === null || holder === holderOf(layer)) return number;
    await renameNumber(queries, tenant, { id, number }, replacedLayerId({ id, number }));
  }
}

interface KnownNumber {
  number: number;
  holder: string | null;
}

/** Gives a number and the ledger of its layer another id. */
async function renameNumber(
  queries: Queries,
  tenant: Tenant,
  { id, number }: Pick<LayerRecord, 'id' | 'number'>,
  renamed: string,
): Promise<void> {
  await queries.run(RENAME_NUMBER, tenant, number, renamed);
  await queries.run(RENAME_LEDGER, tenant, id, renamed);
}

/** Records the holder of a layer that is about to be purged, and that its source has no copy. */
async function keepHolder(queries: Queries, tenant: Tenant, number: number): Promise<void> {
  const layer = await queries.row<Pick<LayerRecord, 'user_defined' | 'owner'>>(
    GET_HOLDER,
    tenant,
    number,
  );
  if (layer !== undefined) await queries.run(KEEP_HOLDER, tenant, number, holderOf(layer));
}

export function layerParameters(layer: NewLayer & { number: number }): Parameter[] {
  return COLUMNS.map((column) => layer[column]);
}
