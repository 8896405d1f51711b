import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type {
  EmbeddingReads,
  Embeddings,
  ModelRecord,
  ReembedRun,
  PendingKey,
  PendingEmbedding,
} from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { columns } from '../versions/columns.ts';
import { getRun, startRun } from './embedding-runs.ts';
import type { Parameter } from '../../shared/parameter.ts';
import { NO_TENANT, type Run } from '../../shared/queries.ts';

const MODEL_COLUMNS = 'name, dimensions, external, ready, wanted_at';
/** Omits models that are still being filled, because their number of pending texts is too low. */
const LIST_MODELS: Sql<ModelRecord> = `SELECT ${MODEL_COLUMNS} FROM embedding_models WHERE filled ORDER BY number`;
const ADD_MODEL: Sql<ModelRecord & { number: number }> =
  `SELECT number, ${MODEL_COLUMNS} FROM add_embedding_model($1, $2, $3, $4)`;
const FILL_MODEL: Sql<{ filled: boolean }> = 'SELECT fill_embedding_model($1, $2) AS filled';
const COUNT: Sql<{ waiting: number; oldest_at: string | null }> =
  'SELECT waiting, oldest_at FROM count_waiting($1)';
const CLAIM: Sql<PendingEmbedding> = `SELECT tenant, layer, kind, id, stamp, attempts, removed
  FROM claim_waiting_after($1, $2, $3, $4, $5)`;

/** Number of concurrent batches: while this process embeds one, the server claims the next and writes the previous. */
const PARALLEL = 3;

/** Number of texts marked at once; other changes to the tenant wait meanwhile. */
const FILLED_AT_ONCE = 5_000;

const MODEL = '(SELECT number FROM embedding_models WHERE name = $2)';
const LIST_WAITING_OF: Sql<Awaited<ReturnType<EmbeddingReads['listWaitingOf']>>[number]> =
  `SELECT w.layer, w.id, w.attempts, w.reason
  FROM unnest($3::int[], $4::text[]) AS wanted (layer, id)
  CROSS JOIN LATERAL (SELECT w.* FROM waiting_texts w WHERE w.tenant = $1 AND w.model = ${MODEL}
    AND w.kind = 'artifact' AND w.layer = wanted.layer AND w.id = wanted.id AND NOT w.removed OFFSET 0) w`;
/** Skips keys that another transaction is changing. If the key stays the same, it is claimed again after its lease. */
const UNCHANGED = `unnest($5::text[], $6::bigint[]) AS k (id, stamp)
  CROSS JOIN LATERAL (SELECT w.ctid AS place FROM waiting_texts w
    WHERE w.tenant = $1 AND w.model = ${MODEL} AND w.kind = $3 AND w.layer = $4::int AND w.id = k.id
      AND w.stamp = k.stamp FOR UPDATE SKIP LOCKED) w`;
const LIST_UNCHANGED: Sql<{ id: string }> =
  `SELECT k.id FROM unnest($5::text[], $6::bigint[]) AS k (id, stamp)
  CROSS JOIN LATERAL (SELECT 1 FROM waiting_texts w
    WHERE w.tenant = $1 AND w.model = ${MODEL} AND w.kind = $3 AND w.layer = $4::int AND w.id = k.id
      AND w.stamp = k.stamp OFFSET 0) w`;
const FINISH = `DELETE FROM waiting_texts WHERE ctid = ANY (ARRAY(SELECT w.place FROM ${UNCHANGED}))`;
const RELEASE = `UPDATE waiting_texts SET not_before = '-infinity'
  WHERE ctid = ANY (ARRAY(SELECT w.place FROM ${UNCHANGED}))`;
const POSTPONE = `UPDATE waiting_texts SET attempts = attempts + 1, not_before = $7, reason = $8
  WHERE ctid = ANY (ARRAY(SELECT w.place FROM ${UNCHANGED}))`;

export function embeddingReads(read: Run): EmbeddingReads {
  return {
    listModels: () => read(NO_TENANT, (queries) => queries.rows(LIST_MODELS)),
    countWaiting: (model) =>
      read(NO_TENANT, async (queries) => {
        const row = await queries.row(COUNT, model);
        return row ?? { waiting: 0, oldest_at: null };
      }),
    listWaitingOf: (tenant, model, documents) =>
      read(tenant, (queries) =>
        queries.rows(LIST_WAITING_OF, tenant, model, ...columns(documents, 'layer', 'id')),
      ),
    getRun: (tenant, run) => read(tenant, (queries) => getRun(queries, tenant, run)),
  };
}

/**
 * Creates the reads and writes of embeddings. Each write is a separate statement; those of `change` run after all other
 * changes to the tenant.
 */
export function embeddings(read: Run, write: Run, change: Run): Embeddings {
  /** Last claimed stamp of each model. The next claim continues there. */
  const claimed = new Map<string, number>();
  return {
    ...embeddingReads(read),
    parallel: PARALLEL,
    async addModel({ name, dimensions, external, now }) {
      const model = await write(NO_TENANT, (queries) =>
        queries.row(ADD_MODEL, name, dimensions, external, now),
      );
      if (model === undefined) throw new Error(`The model ${name} was not stored.`);
      const { number, ...record } = model;
      if (record.dimensions !== dimensions) throw otherDimensions(record);
      await fill(write, number);
      return record;
    },
    markReady: (model) =>
      write(NO_TENANT, async (queries) => {
        await queries.run('SELECT mark_embedding_model_ready($1)', model);
      }),
    dropModel: (model) =>
      write(NO_TENANT, async (queries) => {
        await queries.run('SELECT drop_embedding_model($1)', model);
      }),
    async claimWaiting({ model, now, until, limit }) {
      const after = claimed.get(model) ?? 0;
      const found = await write(NO_TENANT, (queries) =>
        queries.rows(CLAIM, model, now, until, limit, after),
      );
      const stamps = found.map(({ stamp }) => stamp);
      claimed.set(model, Math.max(claimed.get(model) ?? 0, ...stamps));
      return found;
    },
    async listUnchanged(tenant, model, keys) {
      const unchanged: (typeof keys)[number][] = [];
      for (const { some, named } of batchesOf(keys)) {
        const found = await write(tenant, (queries) =>
          queries.rows(LIST_UNCHANGED, tenant, model, ...named),
        );
        const ids = new Set(found.map(({ id }) => id));
        unchanged.push(...some.filter(({ id }) => ids.has(id)));
      }
      return unchanged;
    },
    finishWaiting: (tenant, model, done) => changeUnchanged(write, FINISH, tenant, model, done),
    async releaseWaiting(tenant, model, keys) {
      await changeUnchanged(write, RELEASE, tenant, model, keys);
      // Released texts have lower stamps than the last claim, so the next claim starts at the beginning.
      claimed.delete(model);
    },
    async postponeWaiting(tenant, model, failed) {
      const alike = Map.groupBy(failed, ({ not_before, reason }) => `${not_before} ${reason}`);
      for (const some of alike.values()) {
        const [first] = some;
        if (first === undefined) continue;
        const { not_before, reason } = first;
        await changeUnchanged(write, POSTPONE, tenant, model, some, [not_before, reason]);
      }
    },
    startRun: (tenant, model, run): Promise<ReembedRun> => startRun(change, tenant, model, run),
  };
}

/** Adds the texts of a model in steps. The database stores the progress, so several processes can take part. */
async function fill(write: Run, number: number): Promise<void> {
  for (;;) {
    const row = await write(NO_TENANT, (queries) =>
      queries.row(FILL_MODEL, number, FILLED_AT_ONCE),
    );
    if (row?.filled !== false) return;
  }
}

async function changeUnchanged(
  write: Run,
  sql: string,
  tenant: Tenant,
  model: string,
  keys: readonly PendingKey[],
  more: readonly string[] = [],
): Promise<void> {
  for (const { named } of batchesOf(keys)) {
    await write(tenant, (queries) => queries.run(sql, tenant, model, ...named, ...more));
  }
}

function* batchesOf<Key extends PendingKey>(
  keys: readonly Key[],
): Generator<{ some: Key[]; named: Parameter[] }> {
  const shelves = Map.groupBy(keys, ({ kind, layer }) => `${kind} ${layer}`);
  for (const shelf of shelves.values()) {
    const [first] = shelf;
    if (first === undefined) continue;
    for (const some of batches(shelf)) {
      yield { some, named: [first.kind, first.layer, ...columns(some, 'id', 'stamp')] };
    }
  }
}

function otherDimensions({ name, dimensions }: ModelRecord): CatalogError {
  return new CatalogError(
    'config.invalid',
    `The embeddings of the model ${name} have ${dimensions} dimensions, which differs from its configuration.`,
    { suggested_action: 'Use a different name for a model with other dimensions.' },
  );
}
