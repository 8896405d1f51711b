import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Embeddings,
  ModelRecord,
  PendingKey,
  PendingEmbedding,
} from '@catalog/core/ports/embeddings';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VectorModel } from '@catalog/core/ports/vector-index';
import type { Connection, Run } from '../connection/connection.ts';
import { createEmbeddingLeases, type EmbeddingLeases } from './embedding-leases.ts';
import { getRun, startRun } from './embedding-runs.ts';
import { fillWaiting } from './embedding-fill.ts';
import { LIMIT } from '../connection/limit.ts';
import { inSteps } from '../connection/steps.ts';
import type { Unit } from '../transaction.ts';
import { otherDimensions } from './models.ts';

/** Creates the reads and writes of embeddings. Each write is a separate transaction. */
export function embeddings(run: Run, unit: Unit): Embeddings {
  const leases = createEmbeddingLeases();

  /** Ends leases. Skips keys whose stamp has changed. */
  async function endLeases<Key extends PendingKey>(
    tenant: Tenant,
    name: string,
    keys: readonly Key[],
    sql: string,
    more: (key: Key) => readonly string[] = () => [],
  ): Promise<void> {
    if (keys.length === 0) return;
    const model = await unit(async ({ run: step }) => {
      const known = await step((connection) => getModel(connection, name));
      if (known === undefined) return undefined;
      await inSteps(step, keys, (connection, some) => {
        const change = connection.statement(sql);
        for (const key of some) {
          change.run(known.model, tenant, key.layer, key.kind, key.id, key.stamp, ...more(key));
        }
      });
      return known.model;
    }, 'unflushed');
    if (model === undefined) return;
    leases.release(model, keys);
  }

  return {
    parallel: 1,
    listModels: () => run((connection) => listModels(connection).map(toModel)),
    countWaiting: (name) =>
      run((connection) => {
        const row = connection
          .statement<{ waiting: number; oldest_at: string | null }>(
            `SELECT count(*) AS waiting, min(since) AS oldest_at FROM embedding_waiting
             WHERE model = (SELECT model FROM embedding_models WHERE name = ?)`,
          )
          .get(name);
        return row ?? { waiting: 0, oldest_at: null };
      }),
    listWaitingOf: (tenant, name, documents) =>
      run((connection) => {
        const known = getModel(connection, name);
        if (known === undefined) return [];
        const statement = connection.statement<{
          layer: LayerNumber;
          id: string;
          attempts: number;
          reason: string | null;
        }>(
          `SELECT layer, id, attempts, reason FROM embedding_waiting
           WHERE model = ? AND tenant = ? AND layer = ? AND kind = 'artifact' AND id = ?
             AND removed = 0`,
        );
        return documents.flatMap(({ layer, id }) => statement.all(known.model, tenant, layer, id));
      }),
    getRun: (tenant, started) => run((connection) => getRun(connection, tenant, started)),
    addModel: (model) =>
      unit(async (transaction) => {
        const { record, added } = await transaction.run((connection) =>
          addModel(connection, model),
        );
        if (added) await fillWaiting(transaction, record.model);
        return toModel(record);
      }),
    markReady: (name) =>
      unit(({ run: step }) =>
        step((connection) => {
          connection.statement('UPDATE embedding_models SET ready = 1 WHERE name = ?').run(name);
        }),
      ),
    dropModel: (name) =>
      unit(async ({ run: step }) => {
        const known = await step((connection) => getModel(connection, name));
        if (known === undefined) return;
        while (await step((connection) => deleteSome(connection, known.model))) await nextTurn();
      }),
    claimWaiting: (claim) => run((connection) => claimWaiting(connection, leases, claim)),
    listUnchanged: (tenant, name, keys) =>
      run((connection) => {
        const known = getModel(connection, name);
        if (known === undefined) return [];
        const find = connection.statement(`SELECT 1 FROM embedding_waiting WHERE ${UNCHANGED}`);
        return keys.filter(
          ({ layer, kind, id, stamp }) =>
            find.get(known.model, tenant, layer, kind, id, stamp) !== undefined,
        );
      }),
    finishWaiting: (tenant, name, done) => endLeases(tenant, name, done, FINISH),
    postponeWaiting: (tenant, name, failed) =>
      endLeases(tenant, name, failed, POSTPONE, ({ reason, not_before }) => [reason, not_before]),
    releaseWaiting: (tenant, name, keys) => endLeases(tenant, name, keys, RELEASE),
    startRun: (tenant, name, started) =>
      unit(async (transaction) => {
        const known = await transaction.run((connection) => getModel(connection, name));
        if (known === undefined) throw new Error(`The model ${name} was not added.`);
        await startRun(transaction.run, { tenant, model: known.model }, started);
        transaction.announce();
        const startedRun = await transaction.run((connection) =>
          getRun(connection, tenant, started.run),
        );
        if (startedRun === undefined) throw new Error(`The run ${started.run} was not stored.`);
        return startedRun;
      }),
  };
}

const UNCHANGED = `model = ?1 AND tenant = ?2 AND layer = ?3 AND kind = ?4 AND id = ?5 AND stamp = ?6`;
const FINISH = `DELETE FROM embedding_waiting WHERE ${UNCHANGED}`;
const POSTPONE = `UPDATE embedding_waiting SET attempts = attempts + 1, reason = ?7, not_before = ?8
  WHERE ${UNCHANGED}`;
const RELEASE = `UPDATE embedding_waiting SET not_before = '' WHERE ${UNCHANGED}`;

interface ModelRow extends VectorModel {
  model: number;
  external: number;
  ready: number;
  wanted_at: string;
}

function listModels(connection: Connection): ModelRow[] {
  return connection.statement<ModelRow>('SELECT * FROM embedding_models ORDER BY model').all();
}

function getModel(connection: Connection, name: string): ModelRow | undefined {
  return connection.statement<ModelRow>('SELECT * FROM embedding_models WHERE name = ?').get(name);
}

function toModel({ name, dimensions, external, ready, wanted_at }: ModelRow): ModelRecord {
  return { name, dimensions, external: external === 1, ready: ready === 1, wanted_at };
}

/** Adds a model. The first model is ready immediately if there are no texts to embed. */
function addModel(
  connection: Connection,
  { name, dimensions, external, now }: Parameters<Embeddings['addModel']>[0],
): { record: ModelRow; added: boolean } {
  const added = getModel(connection, name) === undefined;
  connection
    .statement(
      `INSERT INTO embedding_models (name, dimensions, external, ready, wanted_at)
       SELECT ?1, ?2, ?3, NOT EXISTS (SELECT 1 FROM embedding_models)
         AND NOT EXISTS (SELECT 1 FROM search_documents), ?4 WHERE true
       ON CONFLICT (name) DO UPDATE SET wanted_at = excluded.wanted_at`,
    )
    .run(name, dimensions, Number(external), now);
  const record = getModel(connection, name);
  if (record === undefined) throw new Error(`The model ${name} was not stored.`);
  if (record.dimensions !== dimensions) throw otherDimensions(record, dimensions);
  return { record, added };
}

/** Claims pending texts by due time. New texts are due immediately and come first. */
function claimWaiting(
  connection: Connection,
  leases: EmbeddingLeases,
  { model, now, until, limit }: Parameters<Embeddings['claimWaiting']>[0],
): PendingEmbedding[] {
  const known = getModel(connection, model);
  if (known === undefined) return [];
  const rows = connection
    .statement<Omit<PendingEmbedding, 'removed'> & { removed: number }>(
      `SELECT tenant, layer, kind, id, stamp, attempts, removed FROM embedding_waiting
       WHERE model = ? AND not_before <= ? ORDER BY not_before, stamp ${LIMIT}`,
    )
    .all(known.model, now, limit + leases.count(known.model, now));
  return leases
    .takeFree(known.model, rows, { limit, until })
    .map(({ tenant, layer, kind, id, stamp, attempts, removed }) => ({
      tenant,
      layer,
      kind,
      id,
      stamp,
      attempts,
      removed: removed === 1,
    }));
}

const ROWS_AT_ONCE = 1000;

/** Removes some pending texts of a model, and the model after its last text. Returns true if texts remain. */
function deleteSome(connection: Connection, model: number): boolean {
  const { changes } = connection
    .statement(
      `DELETE FROM embedding_waiting WHERE (model, tenant, layer, kind, id) IN (
         SELECT model, tenant, layer, kind, id FROM embedding_waiting
         WHERE model = ? LIMIT ${ROWS_AT_ONCE})`,
    )
    .run(model);
  if (Number(changes) > 0) return true;
  connection.statement('DELETE FROM embedding_runs WHERE model = ?').run(model);
  connection.statement('DELETE FROM embedding_models WHERE model = ?').run(model);
  return false;
}
