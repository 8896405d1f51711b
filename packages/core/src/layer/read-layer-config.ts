import {
  flag,
  listOf,
  member,
  record,
  text,
  type Check,
  type RecordShape,
} from '../manifest/field-checks.ts';
import { readConfig } from '../manifest/read-config.ts';
import type { LayerVisibility } from './visibility.ts';

/** File `.layer-config` at the root of a layer, which only servers read. */
export interface LayerConfig {
  visibility: LayerVisibility;
}

function createEmptyVisibility(): LayerVisibility {
  return { public: false, organization: false, groups: [], users: [] };
}

export const layerVisibility: Check<LayerVisibility> = record<LayerVisibility>({
  create: createEmptyVisibility,
  members: [
    member('public', flag()),
    member('organization', flag()),
    member('groups', listOf(text())),
    member('users', listOf(text())),
  ],
  strict: true,
});

const SHAPE: RecordShape<LayerConfig> = {
  create: () => ({ visibility: createEmptyVisibility() }),
  members: [member('visibility', layerVisibility)],
  strict: true,
};

export function readLayerConfig(text: string, file: string): LayerConfig {
  return readConfig(text, file, SHAPE);
}
