import type { Lineage } from '@catalog/contract/records/artifact';
import { describeLineage, type ChainLink } from '@catalog/core/extends/field-origins';
import type { StoredExtends, VersionRecord } from '@catalog/core/ports/versions';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View, ViewLayer } from '../view/view.ts';
import { noSuchArtifact, resolveArtifact, type ArtifactRequest } from './resolve-artifact.ts';
import { loadVersion } from './served-artifact.ts';

interface Link {
  layer: ViewLayer;
  record: VersionRecord;
}

/**
 * Loads the chain of parents up to the first one that the caller cannot see. Fields inherited from there appear as the
 * child's own.
 */
export async function loadLineage(
  registry: Registry,
  context: CallContext,
  question: ArtifactRequest,
): Promise<Lineage> {
  const view = await resolveView(registry, context);
  const resolved = await resolveArtifact(registry, context, view, question);
  if (resolved === undefined) throw noSuchArtifact(question.id);
  const record = await loadVersion(registry, context.tenant, resolved);
  const parents: Link[] = [];
  for (let next = record.extends; next !== null;) {
    const parent = await findParent(registry, context, view, next);
    if (parent === undefined) break;
    parents.push(parent);
    next = parent.record.extends;
  }
  return describeLineage(toChainLink({ layer: resolved.layer, record }), parents.map(toChainLink));
}

async function findParent(
  { store }: Registry,
  { tenant }: CallContext,
  view: View,
  { id, version, layer: number }: StoredExtends,
): Promise<Link | undefined> {
  const layer = view.byNumber.get(number);
  if (layer === undefined || view.narrowing?.loads(id, version) === false) return undefined;
  const record = await store.versions.get(tenant, number, id, version);
  return record === undefined || record.refusal !== null ? undefined : { layer, record };
}

function toChainLink({ layer, record }: Link): ChainLink {
  const { id, version } = record;
  return { place: { id, version, layer: layer.id }, texts: record };
}
