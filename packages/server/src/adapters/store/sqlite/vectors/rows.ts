import type { EmbeddedKind, VectorModel } from '@catalog/core/ports/vector-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../../shared/sql.ts';
import type { Connection } from '../connection/connection.ts';

export interface KnownModel extends VectorModel {
  model: number;
}

export function getModel(connection: Connection, name: string): KnownModel | undefined {
  return connection
    .statement<KnownModel>('SELECT model, name, dimensions FROM vector_models WHERE name = ?')
    .get(name);
}

export interface ShelfKey {
  tenant: Tenant;
  layer: LayerNumber;
  model: number;
}

const VECTOR_SET_SIZE = 2 ** 32;

export const PLACE = `s.shelf * ${VECTOR_SET_SIZE} + d.number`;

export function placeOn(shelf: number, number: number): number {
  return shelf * VECTOR_SET_SIZE + number;
}

export type VectorChange =
  | { kind: 'put'; place: number; vector: StepVector }
  | { kind: 'remove'; place: number }
  | { kind: 'drop'; model: number };

export function splitPlace(place: number): { shelf: number; number: number } {
  const shelf = Math.floor(place / VECTOR_SET_SIZE);
  return { shelf, number: place - placeOn(shelf, 0) };
}

export function getVectorSet(
  connection: Connection,
  { tenant, layer, model }: ShelfKey,
): number | undefined {
  return connection
    .statement<{ shelf: number }>(
      'SELECT shelf FROM vector_shelves WHERE tenant = ? AND layer = ? AND model = ?',
    )
    .get(tenant, layer, model)?.shelf;
}

export function createVectorSet(connection: Connection, key: ShelfKey): number {
  const known = getVectorSet(connection, key);
  if (known !== undefined) return known;
  const { lastInsertRowid } = connection
    .statement('INSERT INTO vector_shelves (tenant, layer, model) VALUES (?, ?, ?)')
    .run(key.tenant, key.layer, key.model);
  return Number(lastInsertRowid);
}

/** Vector of integers, whose sums are exact. */
export type StepVector = Int16Array;

/** Encodes a vector as little-endian bytes, like all supported machines. */
export function bytesOfSteps(vector: StepVector): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function readSteps(bytes: Uint8Array): StepVector {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}

export interface Embedded {
  tenant: Tenant;
  layer: LayerNumber;
  kind: EmbeddedKind;
}

export function removeOf(
  connection: Connection,
  { tenant, layer, kind }: Embedded,
  ids: readonly string[],
): VectorChange[] {
  const removed = JSON.stringify(ids);
  if (kind === 'domain') {
    connection.statement(REMOVE_DOMAINS).run(tenant, layer, removed);
    return [];
  }
  return connection
    .statement(REMOVE_DOCUMENTS)
    .all(tenant, layer, removed)
    .map(({ place }) => ({ kind: 'remove', place }));
}

const REMOVE_DOCUMENTS: Sql<{ place: number }> = `
  DELETE FROM vectors WHERE place IN (
    SELECT ${PLACE} FROM vector_shelves s CROSS JOIN json_each(?3) named
    CROSS JOIN search_documents d ON d.tenant = ?1 AND d.layer = ?2 AND d.id = named.value
    WHERE s.tenant = ?1 AND s.layer = ?2)
  RETURNING place`;

const REMOVE_DOMAINS = `
  DELETE FROM domain_vectors
  WHERE tenant = ?1 AND layer = ?2 AND model IN (SELECT model FROM vector_models)
    AND path IN (SELECT value FROM json_each(?3))`;

export function sumProducts(a: StepVector, b: StepVector): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
