import type { Tenant } from '@catalog/core/ports/tenant';
import type { EnginePoint } from '@catalog/core/ports/vector-engine';
import { idPaths } from '../id-paths.ts';
import { hexOf } from '../point-id.ts';

type Mark = 'tenant' | 'model' | 'kind' | 'layer' | 'type' | 'tag' | 'path';

/**
 * Returns a token for a value. Weaviate splits strings into words, so a filter for `ops/a` would also match `a/ops`; a
 * token of letters and digits is never split.
 */
export function markOf(kind: Mark, value: string | number): string {
  return `x${hexOf([kind, value])}`;
}

export function marksOf(tenant: Tenant, model: string, point: EnginePoint): string[] {
  const { layer, kind, id, type, tags } = point;
  return [
    markOf('tenant', tenant),
    markOf('model', model),
    markOf('kind', kind),
    markOf('layer', layer),
    markOf('type', type),
    ...tags.map((tag) => markOf('tag', tag)),
    ...idPaths(id).map((path) => markOf('path', path)),
  ];
}
