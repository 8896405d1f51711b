/** The vector has unit length. */
export interface StoredPoint {
  id: string;
  vector: Float64Array;
  payload: Record<string, unknown>;
}

export function toUnit(values: readonly number[]): Float64Array {
  const length = Math.hypot(...values) || 1;
  return Float64Array.from(values, (value) => value / length);
}

export function nearestPoints(
  points: Iterable<StoredPoint>,
  queryVector: Float64Array,
  limit: number,
): (StoredPoint & { score: number })[] {
  const scored = Array.from(points, (point) => ({
    ...point,
    score: cosine(point.vector, queryVector),
  }));
  return scored.sort((a, b) => b.score - a.score).slice(0, limit);
}

function cosine(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

/** A field may contain one value or several. */
export function valuesOf(payload: Record<string, unknown>, key: string): unknown[] {
  const value = payload[key];
  return Array.isArray(value) ? value : [value];
}
