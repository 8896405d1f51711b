import { readLayerConfig } from '../layer/read-layer-config.ts';
import type { LayerVisibility } from '../layer/visibility.ts';
import { readConfigText } from './read-config-text.ts';

const CONFIG_FILE = '.layer-config';

export function readLayerVisibility(root: string): LayerVisibility | undefined {
  const file = `${root}/${CONFIG_FILE}`;
  const text = readConfigText(file, false, { unreadable: 'Make it readable, or remove it.' });
  if (text === undefined) return undefined;
  return readLayerConfig(text, file).visibility;
}
