import type { Tenant } from '@catalog/core/ports/tenant';
import type { EnginePoint } from '@catalog/core/ports/vector-engine';
import { idPaths } from '../id-paths.ts';
import { hexOf } from '../point-id.ts';

type Mark = 'tenant' | 'model' | 'kind' | 'layer' | 'type' | 'tag' | 'path';

/**
 * One word that stands for a value. A property that auto-schema makes is split into words when it is
 * filtered by: `ops/a` would find `a/ops` too. A word of letters and digits alone is never split.
 */
export function markOf(kind: Mark, value: string | number): string {
  return `x${hexOf([kind, value])}`;
}

/** Everything an object can be filtered by. */
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
