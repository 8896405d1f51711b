import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import type { PlacedType } from './adapter.ts';

export function forEachPlacedType<Value>(
  make: (type: PlacedType) => Value,
): Record<PlacedType, Value>;
export function forEachPlacedType<Value>(make: (type: PlacedType) => Value): Record<string, Value> {
  const types: readonly PlacedType[] = [...FIRST_CLASS_TYPES, 'extension'];
  return Object.fromEntries(types.map((type) => [type, make(type)]));
}
