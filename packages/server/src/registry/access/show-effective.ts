import type { EffectiveView } from '@catalog/contract/records/access';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { explainVisibility } from '@catalog/core/layer/explain-visibility';
import type { CallContext, Registry } from '../registry.ts';

export interface EffectiveQuery {
  user_id: string;
  email: string;
  groups: readonly string[];
}

/**
 * Lists the layers a caller would see, lowest precedence first. The credential counts as verified, so that this also
 * works before an identity provider is configured.
 */
export async function showEffective(
  { store }: Registry,
  { tenant }: CallContext,
  { user_id, email, groups }: EffectiveQuery,
): Promise<EffectiveView> {
  const [layers, directory] = await Promise.all([
    store.layers.list(tenant),
    store.directory.standing(tenant, user_id, email),
  ]);
  const queriedUser = {
    subject: user_id,
    email,
    is_active: directory.state !== 'inactive',
    given_groups: groups,
    directory_groups: directory.groups,
  };
  return {
    user_id,
    groups: [...new Set([...groups, ...directory.groups])],
    layers: composeLayers(layers, { kind: 'open' }).map((layer) => ({
      layer_id: layer.id,
      ...explainVisibility(layer, queriedUser),
    })),
  };
}
