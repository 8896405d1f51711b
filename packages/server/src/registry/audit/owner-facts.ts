import type { LayerRecord } from '@catalog/core/ports/layers';

/** Makes the id of a personal layer a personal field of the record. */
export function ownerFacts({ user_defined, owner }: Pick<LayerRecord, 'user_defined' | 'owner'>): {
  'layer.owner'?: string;
} {
  return user_defined && owner !== null ? { 'layer.owner': owner } : {};
}
