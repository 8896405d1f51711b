import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { DomainVectorHit } from '@catalog/core/ports/vector-index';
import type { LayerStack } from '@catalog/core/ports/versions';
import { cosineOfSteps } from '@catalog/core/search/round-vector';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { isHidden, listUnlisted, openDomainView } from '../domains/view.ts';
import {
  bytesOfSteps,
  readSteps,
  sumProducts,
  type KnownModel,
  type ShelfKey,
  type StepVector,
  type VectorChange,
} from './rows.ts';

/** Skips paths without a `DOMAIN.md` in the layer. */
export function putDomainVectors(
  connection: Connection,
  { tenant, layer, model }: ShelfKey,
  vectors: readonly { id: string; vector: StepVector }[],
): VectorChange[] {
  const put = connection.statement(
    `INSERT OR REPLACE INTO domain_vectors (tenant, layer, model, path, vector)
     SELECT tenant, layer, ?3, path, ?5 FROM domain_files
     WHERE tenant = ?1 AND layer = ?2 AND path = ?4`,
  );
  for (const { id, vector } of vectors) put.run(tenant, layer, model, id, bytesOfSteps(vector));
  return NOT_MIRRORED;
}

export function removeDomainVectors(
  connection: Connection,
  { tenant, layer, model }: ShelfKey,
  paths: readonly string[],
): VectorChange[] {
  const remove = connection.statement(
    'DELETE FROM domain_vectors WHERE tenant = ? AND layer = ? AND model = ? AND path = ?',
  );
  for (const path of paths) remove.run(tenant, layer, model, path);
  return NOT_MIRRORED;
}

/** Domain vectors are not copied to memory, because they are few. */
const NOT_MIRRORED: VectorChange[] = [];

export interface DomainStepQuery {
  known: KnownModel;
  asked: StepVector;
  scope: string;
  top_k: number;
}

/** Compares all domains, because there are far fewer domains than documents. */
export function searchDomainVectors(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  { known, asked, scope, top_k }: DomainStepQuery,
): DomainVectorHit[] {
  const view = openDomainView(connection, tenant, layers);
  if (isHidden(connection, view, scope)) return [];
  listUnlisted(connection, view, scope); // cached in the view for its subdomains
  const nearest = new Map<string, number>();
  const inLayer = connection.statement<{ path: string; vector: Uint8Array }>(
    'SELECT path, vector FROM domain_vectors WHERE tenant = ? AND layer = ? AND model = ?',
  );
  for (const layer of layers) {
    for (const { path, vector } of inLayer.iterate(tenant, layer, known.model)) {
      if (!isWithin(path, scope)) continue;
      const sum = sumProducts(asked, readSteps(vector));
      nearest.set(path, Math.max(sum, nearest.get(path) ?? -Infinity));
    }
  }
  return [...nearest]
    .sort(([aPath, a], [bPath, b]) => b - a || compareBytes(aPath, bPath))
    .filter(([path]) => !isHidden(connection, view, path))
    .slice(0, top_k)
    .map(([path, sum]) => ({ path, similarity: cosineOfSteps(sum) }));
}
