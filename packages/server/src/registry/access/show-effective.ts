import type { EffectiveView } from '@catalog/contract/records/access';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { explainVisibility } from '@catalog/core/layer/explain-visibility';
import type { CallContext, Registry } from '../registry.ts';

/** Whom an administrator asks about. */
export interface AskedAbout {
  user_id: string;
  /** Empty where none is to be counted. */
  email: string;
  /** Groups a token of theirs would carry, beside those the directory records. */
  groups: readonly string[];
}

/**
 * Which of the live layers somebody sees, and why, in the order they compose. It speaks of a caller
 * with a verified credential, so that it can be asked before there is an identity provider.
 */
export async function showEffective(
  { store }: Registry,
  { tenant }: CallContext,
  { user_id, email, groups }: AskedAbout,
): Promise<EffectiveView> {
  const [layers, directory] = await Promise.all([
    store.layers.list(tenant),
    store.directory.standing(tenant, user_id, email),
  ]);
  const person = {
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
      ...explainVisibility(layer, person),
    })),
  };
}
