import { holderOf, replacedLayerId } from '@catalog/core/layer/layer-holder';
import type { LayerReads, LayerRecord, LayerWrites, NewLayer } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';
import type { Revisions } from './revisions.ts';
import type { Transaction } from './transaction.ts';

export interface LayerRow extends Omit<LayerRecord, Flag | List> {
  tenant: Tenant;
  user_defined: number;
  public: number;
  organization: number;
  groups: JsonText<string[]> | null;
  users: JsonText<string[]> | null;
}
type Flag = 'user_defined' | 'public' | 'organization';
type List = 'groups' | 'users';

const SELECT = `
  SELECT l.*, n.revision
  FROM layers l JOIN layer_numbers n ON n.tenant = l.tenant AND n.number = l.number`;

export function layerReads(run: Run, revisions: Revisions): LayerReads {
  return {
    get: (tenant, id) => run((connection) => getLayer(connection, tenant, id)),
    list: (tenant) =>
      run((connection) =>
        connection
          .statement<LayerRow>(`${SELECT} WHERE l.tenant = ? AND l.deleted_at IS NULL`)
          .all(tenant)
          .map(toLayer),
      ),
    listDeleted: (tenant) =>
      run((connection) =>
        connection
          .statement<LayerRow>(`${SELECT} WHERE l.tenant = ? AND l.deleted_at IS NOT NULL`)
          .all(tenant)
          .map(toLayer),
      ),
    findByWebhookKey: (key) =>
      run((connection) => {
        if (key === '') return undefined;
        const row = connection.statement<LayerRow>(`${SELECT} WHERE l.webhook_key = ?`).get(key);
        return row && { tenant: row.tenant, layer: toLayer(row) };
      }),
    revision: async (tenant) => revisions.get(tenant),
  };
}

export function layerWrites(
  transaction: Transaction,
  revisions: Revisions,
  purge: LayerWrites['purge'],
): LayerWrites {
  const { run } = transaction;
  return {
    ...layerReads(run, revisions),
    async create(tenant, layer) {
      const record = await run((connection) => {
        insertLayer(connection, tenant, takeNumber(connection, tenant, layer), layer);
        return getLayer(connection, tenant, layer.id);
      });
      if (record === undefined) throw new Error(`Layer ${layer.id} was not stored.`);
      transaction.touchTenant(tenant);
      return record;
    },
    async replace(tenant, layer) {
      await run((connection) => replaceLayer(connection, tenant, layer));
      transaction.touchTenant(tenant);
    },
    async setAside(tenant, layer, now) {
      const id = replacedLayerId(layer);
      const deleted_at = layer.deleted_at ?? now;
      await run((connection) => {
        const replaced = { ...layer, id, deleted_at, webhook_secret: '', webhook_key: '' };
        replaceLayer(connection, tenant, replaced);
        renameNumber(connection, tenant, layer, id);
      });
      transaction.touchTenant(tenant);
    },
    noteIngest: (tenant, number, { last_ingested_at, last_ingested_ref, source_state }) =>
      run((connection) => {
        connection
          .statement(
            `UPDATE layers SET last_ingested_at = ?, last_ingested_ref = ?, source_state = ?
             WHERE tenant = ? AND number = ?`,
          )
          .run(last_ingested_at, last_ingested_ref, source_state, tenant, number);
      }),
    noteCopy: (tenant, number, bytes) =>
      run((connection) => {
        connection
          .statement(
            `UPDATE layer_numbers SET copy_bytes = ?1
             WHERE tenant = ?2 AND number = ?3 AND copy_bytes <> ?1`,
          )
          .run(bytes, tenant, number);
      }),
    touch: (tenant, number) => transaction.touchLayer(tenant, number),
    async purge(tenant, number) {
      await run((connection) => keepHolder(connection, tenant, number));
      await purge(tenant, number);
      // When the id is registered again, nothing derived from what it held may pass for current.
      await transaction.touchLayer(tenant, number);
    },
  };
}

/**
 * Any other layer stands in for one that is not there, and is read as it would have been: who may not
 * know of a layer cannot tell by the time either.
 */
const GET = `${SELECT} WHERE n.tenant = ?1 AND n.id = ?2
  UNION ALL SELECT * FROM (${SELECT} WHERE n.tenant = ?1 LIMIT 1)
  LIMIT 1`;

function getLayer(connection: Connection, tenant: Tenant, id: string): LayerRecord | undefined {
  const row = connection.statement<LayerRow>(GET).get(tenant, id);
  const layer = row && toLayer(row);
  return layer?.id === id ? layer : undefined;
}

function replaceLayer(connection: Connection, tenant: Tenant, layer: LayerRecord): void {
  connection
    .statement('DELETE FROM layers WHERE tenant = ? AND number = ?')
    .run(tenant, layer.number);
  insertLayer(connection, tenant, layer.number, layer);
}

/** The number the id had before for the same holder, or the next one. */
function takeNumber(connection: Connection, tenant: Tenant, layer: NewLayer): number {
  const { id } = layer;
  for (;;) {
    const taken = connection
      .statement<{ number: number }>(
        `INSERT INTO layer_numbers (tenant, id, number)
         VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM layer_numbers WHERE tenant = ?1))
         ON CONFLICT (tenant, id) DO NOTHING RETURNING number`,
      )
      .get(tenant, id);
    if (taken !== undefined) return taken.number;
    const before = connection
      .statement<{ number: number; holder: string | null }>(
        'SELECT number, holder FROM layer_numbers WHERE tenant = ? AND id = ?',
      )
      .get(tenant, id);
    if (before === undefined) throw new Error(`Layer ${id} got no number.`);
    const { number, holder } = before;
    if (holder === null || holder === holderOf(layer)) return number;
    renameNumber(connection, tenant, { id, number }, replacedLayerId({ id, number }));
  }
}

/** Gives a number and the ledger of its layer another id. */
function renameNumber(
  connection: Connection,
  tenant: Tenant,
  { id, number }: Pick<LayerRecord, 'id' | 'number'>,
  renamed: string,
): void {
  connection
    .statement('UPDATE layer_numbers SET id = ? WHERE tenant = ? AND number = ?')
    .run(renamed, tenant, number);
  connection
    .statement('UPDATE version_ledger SET layer_id = ? WHERE tenant = ? AND layer_id = ?')
    .run(renamed, tenant, id);
}

/** Records the holder of a layer that is about to be purged, and that its source has no copy. */
function keepHolder(connection: Connection, tenant: Tenant, number: number): void {
  const row = connection
    .statement<LayerRow>(`${SELECT} WHERE l.tenant = ? AND l.number = ?`)
    .get(tenant, number);
  if (row === undefined) return;
  connection
    .statement(
      'UPDATE layer_numbers SET holder = ?, copy_bytes = 0 WHERE tenant = ? AND number = ?',
    )
    .run(holderOf(toLayer(row)), tenant, number);
}

export function insertLayer(
  connection: Connection,
  tenant: Tenant,
  number: number,
  layer: NewLayer,
): void {
  connection
    .statement(
      `INSERT INTO layers (tenant, number, id, "order", user_defined, public, organization, groups,
         users, source_type, repo, ref, root, local_path, owner, git_provider, force_push_policy,
         created_at, deleted_at, last_ingested_at, last_ingested_ref, webhook_secret, webhook_key,
         source_state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      tenant,
      number,
      layer.id,
      layer.order,
      Number(layer.user_defined),
      Number(layer.public),
      Number(layer.organization),
      layer.groups && JSON.stringify(layer.groups),
      layer.users && JSON.stringify(layer.users),
      layer.source_type,
      layer.repo,
      layer.ref,
      layer.root,
      layer.local_path,
      layer.owner,
      layer.git_provider,
      layer.force_push_policy,
      layer.created_at,
      layer.deleted_at,
      layer.last_ingested_at,
      layer.last_ingested_ref,
      layer.webhook_secret,
      layer.webhook_key,
      layer.source_state,
    );
}

export function toLayer(row: LayerRow): LayerRecord {
  return {
    number: row.number,
    id: row.id,
    order: row.order,
    user_defined: row.user_defined === 1,
    public: row.public === 1,
    organization: row.organization === 1,
    groups: row.groups === null ? null : readJson(row.groups),
    users: row.users === null ? null : readJson(row.users),
    source_type: row.source_type,
    repo: row.repo,
    ref: row.ref,
    root: row.root,
    local_path: row.local_path,
    owner: row.owner,
    git_provider: row.git_provider,
    force_push_policy: row.force_push_policy,
    created_at: row.created_at,
    deleted_at: row.deleted_at,
    last_ingested_at: row.last_ingested_at,
    last_ingested_ref: row.last_ingested_ref,
    webhook_secret: row.webhook_secret,
    webhook_key: row.webhook_key,
    source_state: row.source_state,
    revision: row.revision,
  };
}
