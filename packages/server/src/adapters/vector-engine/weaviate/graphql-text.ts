import type { EngineInput } from '@catalog/core/ports/vector-engine';

export interface GraphqlQuery {
  meaning: EngineInput;
  all: readonly string[];
  any: readonly string[];
  /** Object ids to select; empty for all. */
  ids: readonly string[];
  limit: number;
}

export function queryText(collection: string, query: GraphqlQuery): string {
  const { meaning, all, any, ids, limit } = query;
  const near =
    'text' in meaning
      ? `nearText: {concepts: [${JSON.stringify(meaning.text)}]}`
      : `nearVector: {vector: [${meaning.vector.join(',')}]}`;
  const operands = [
    contains('marks', 'ContainsAll', all),
    contains('marks', 'ContainsAny', any),
    ...(ids.length === 0 ? [] : [contains('id', 'ContainsAny', ids)]),
  ];
  const where = `where: {operator: And, operands: [${operands.join(',')}]}`;
  return `{Get {${collection}(limit: ${limit}, ${near}, ${where}) {layer path _additional {distance}}}}`;
}

export function countText(collection: string, marks: readonly string[]): string {
  const where = contains('marks', 'ContainsAll', marks);
  return `{Aggregate {${collection}(where: ${where}) {meta {count}}}}`;
}

function contains(path: string, operator: string, values: readonly string[]): string {
  return `{path: ["${path}"], operator: ${operator}, valueText: ${JSON.stringify(values)}}`;
}
