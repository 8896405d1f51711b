import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tenant } from '@catalog/core/ports/tenant';
import type {
  EmbeddedKind,
  IdVector,
  VectorIndex,
  VectorModel,
  VectorSetKey,
} from '@catalog/core/ports/vector-index';
import { toSteps } from '@catalog/core/search/round-vector';
import type { Connection, Run } from '../connection/connection.ts';
import { putDomainVectors, removeDomainVectors, searchDomainVectors } from './domain-vectors.ts';
import type { PostingsCache } from '../search/postings-cache.ts';
import { searchFused, type FusedReading } from '../search/fused.ts';
import { createViewFinder } from '../search/view.ts';
import { inSteps } from '../connection/steps.ts';
import type { Unit } from '../transaction.ts';
import type { VectorMirrors } from './mirrors.ts';
import { otherDimensions } from './models.ts';
import {
  getModel,
  type KnownModel,
  type ShelfKey,
  type StepVector,
  type VectorChange,
} from './rows.ts';
import { compareVectors, searchVectors } from './search.ts';
import { countVectors, deleteSome, putVectors, removeVectors } from './writes.ts';

interface InMemory {
  mirrors: VectorMirrors;
  kept: PostingsCache;
}

/** Creates the vector index. Each write is a separate transaction. */
export function vectorIndex(run: Run, unit: Unit, { mirrors, kept }: InMemory): VectorIndex {
  const findView = createViewFinder();

  function change<Row>(
    tenant: Tenant,
    { layer, kind, model }: VectorSetKey,
    rowsOf: (known: KnownModel) => readonly Row[],
    by: Readonly<Record<EmbeddedKind, ChangeRows<Row>>>,
  ): Promise<void> {
    return unit(async (transaction) => {
      const known = await transaction.run((connection) => loadModel(connection, model));
      const key = { tenant, layer, model: known.model };
      await inSteps(transaction.run, rowsOf(known), (connection, some) => {
        transaction.noteVectors(by[kind](connection, key, some));
      });
    }, 'unflushed');
  }

  return {
    addModel: (model) =>
      unit((transaction) => transaction.run((connection) => addModel(connection, model))),
    dropModel: (name) =>
      unit(async (transaction) => {
        const known = await transaction.run((connection) => getModel(connection, name));
        if (known === undefined) return;
        while (await transaction.run((connection) => deleteSome(connection, known.model))) {
          await nextTurn();
        }
        transaction.noteVectors([{ kind: 'drop', model: known.model }]);
      }),
    putVectors: (tenant, shelf, vectors) =>
      change(tenant, shelf, (known) => readVectors(known, vectors), {
        artifact: putVectors,
        domain: putDomainVectors,
      }),
    removeVectors: (tenant, shelf, ids) =>
      change(tenant, shelf, () => ids, { artifact: removeVectors, domain: removeDomainVectors }),
    countVectors: (tenant, name) =>
      run((connection) => {
        const known = getModel(connection, name);
        return known === undefined ? 0 : countVectors(connection, tenant, known.model);
      }),
    settle: async () => undefined,
    async searchVectors(tenant, layers, query) {
      const queryVector = toSteps(query.vector);
      for (;;) {
        const answer = await run((connection) => {
          const known = getModel(connection, query.model);
          if (known === undefined) return { hits: [] };
          const view = findView(connection, tenant, layers);
          const search = { connection, tenant, layers, view, kept };
          return searchVectors(search, mirrors, { ...query, known, asked: queryVector });
        });
        if (answer.hits !== undefined) return answer.hits;
        const { known, unread } = answer;
        for (const shelf of unread) await mirrors.read(run, known, shelf);
      }
    },
    async searchFused(tenant, layers, { asked: { model, vector }, ...query }) {
      const queryVector = toSteps(vector);
      for (;;) {
        const reading = await run((connection): FusedReading => {
          const known = getModel(connection, model);
          if (known === undefined) return { kind: 'too-large' };
          const view = findView(connection, tenant, layers);
          const search = { connection, tenant, layers, view, kept };
          return searchFused(search, mirrors, { ...query, known, asked: queryVector });
        });
        if (reading.kind === 'found') return reading.answer;
        if (reading.kind === 'too-large') return undefined;
        for (const shelf of reading.unread) await mirrors.read(run, reading.known, shelf);
      }
    },
    compareVectors: (tenant, { model, vector }, documents) =>
      run((connection) => {
        const known = getModel(connection, model);
        if (known === undefined) return [];
        const asking = { tenant, known, asked: toSteps(vector) };
        return compareVectors(connection, mirrors, asking, documents);
      }),
    searchDomainVectors: (tenant, layers, query) =>
      run((connection) => {
        const known = getModel(connection, query.model);
        if (known === undefined) return [];
        return searchDomainVectors(connection, tenant, layers, {
          ...query,
          known,
          asked: toSteps(query.vector),
        });
      }),
  };
}

type ChangeRows<Row> = (
  connection: Connection,
  key: ShelfKey,
  rows: readonly Row[],
) => VectorChange[];

function addModel(connection: Connection, { name, dimensions }: VectorModel): void {
  connection
    .statement('INSERT INTO vector_models (name, dimensions) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(name, dimensions);
  const known = loadModel(connection, name);
  if (known.dimensions !== dimensions) throw otherDimensions(known, dimensions);
}

function loadModel(connection: Connection, name: string): KnownModel {
  const model = getModel(connection, name);
  if (model === undefined) throw new Error(`The model ${name} was not added.`);
  return model;
}

function readVectors(
  { dimensions }: KnownModel,
  vectors: readonly IdVector[],
): { id: string; vector: StepVector }[] {
  const odd = vectors.find(({ vector }) => vector.length !== dimensions);
  if (odd !== undefined)
    throw new RangeError(`The embedding of ${odd.id} has a different number of dimensions.`);
  return vectors.map(({ id, vector }) => ({ id, vector: toSteps(vector) }));
}
