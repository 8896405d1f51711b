import { flag, listOf, member, text, type RecordShape } from '../manifest/field-checks.ts';
import { readConfig } from '../manifest/read-config.ts';

export interface RegistryConfig {
  multi_layer: boolean;
  /** Layers, lowest precedence first. Layers that are not listed follow by name. */
  layer_order: string[];
}

const SHAPE: RecordShape<RegistryConfig> = {
  create: () => ({ multi_layer: false, layer_order: [] }),
  members: [member('multi_layer', flag()), member('layer_order', listOf(text()))],
  strict: true,
};

export function readRegistryConfig(text: string, file: string): RegistryConfig {
  return readConfig(text, file, SHAPE);
}
