import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from '../connection/connection.ts';
import {
  getVectorSet,
  createVectorSet,
  placeOn,
  type ShelfKey,
  type StepVector,
  type VectorChange,
} from './rows.ts';

/** Stores vectors of documents. Skips ids without a document in the layer. */
export function putVectors(
  connection: Connection,
  key: ShelfKey,
  vectors: readonly { id: string; vector: StepVector }[],
): VectorChange[] {
  const { tenant, layer } = key;
  const first = placeOn(createVectorSet(connection, key), 0);
  const put = connection.statement(PUT);
  const changes: VectorChange[] = [];
  for (const { id, vector } of vectors) {
    const added = put.run(first, vector, tenant, layer, id);
    if (added.changes === 0) continue;
    changes.push({ kind: 'put', place: Number(added.lastInsertRowid), vector });
  }
  return changes;
}

const PUT = `
  INSERT OR REPLACE INTO vectors (place, vector)
  SELECT ?1 + number, ?2 FROM search_documents WHERE tenant = ?3 AND layer = ?4 AND id = ?5`;

export function removeVectors(
  connection: Connection,
  key: ShelfKey,
  ids: readonly string[],
): VectorChange[] {
  const shelf = getVectorSet(connection, key);
  if (shelf === undefined) return [];
  const remove = connection.statement('DELETE FROM vectors WHERE place = ?');
  const changes: VectorChange[] = [];
  for (const id of ids) {
    const number = getNumber(connection, key, id);
    if (number === undefined) continue;
    const place = placeOn(shelf, number);
    remove.run(place);
    changes.push({ kind: 'remove', place });
  }
  return changes;
}

export function getNumber(
  connection: Connection,
  { tenant, layer }: Omit<ShelfKey, 'model'>,
  id: string,
): number | undefined {
  return connection
    .statement<{ number: number }>(
      'SELECT number FROM search_documents WHERE tenant = ? AND layer = ? AND id = ?',
    )
    .get(tenant, layer, id)?.number;
}

export function countVectors(connection: Connection, tenant: Tenant, model: number): number {
  const shelves = connection
    .statement<{ shelf: number }>('SELECT shelf FROM vector_shelves WHERE tenant = ? AND model = ?')
    .all(tenant, model);
  const count = connection.statement<{ count: number }>(
    'SELECT count(*) AS count FROM vectors WHERE place >= ? AND place < ?',
  );
  return shelves.reduce(
    (sum, { shelf }) => sum + (count.get(placeOn(shelf, 0), placeOn(shelf + 1, 0))?.count ?? 0),
    0,
  );
}

const ROWS_AT_ONCE = 1000;

/** Removes some vectors of a model, and the model after its last vector. Returns true if vectors remain. */
export function deleteSome(connection: Connection, model: number): boolean {
  const shelf = connection
    .statement<{ shelf: number }>('SELECT shelf FROM vector_shelves WHERE model = ? LIMIT 1')
    .get(model)?.shelf;
  if (shelf === undefined) {
    connection.statement('DELETE FROM domain_vectors WHERE model = ?').run(model);
    connection.statement('DELETE FROM vector_models WHERE model = ?').run(model);
    return false;
  }
  const { changes } = connection
    .statement(
      `DELETE FROM vectors WHERE place IN (
         SELECT place FROM vectors WHERE place >= ? AND place < ? LIMIT ${ROWS_AT_ONCE})`,
    )
    .run(placeOn(shelf, 0), placeOn(shelf + 1, 0));
  if (Number(changes) < ROWS_AT_ONCE) {
    connection.statement('DELETE FROM vector_shelves WHERE shelf = ?').run(shelf);
  }
  return true;
}
