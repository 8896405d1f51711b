import type { Posture } from '@catalog/contract/records/access';
import type { Layer } from '@catalog/contract/records/layer';

export function mayChangeLayer(
  { user_defined, owner }: Pick<Layer, 'user_defined' | 'owner'>,
  { layer_capabilities, subject }: Posture,
): boolean {
  return layer_capabilities.manage_any_layer || (user_defined && owner !== '' && owner === subject);
}
