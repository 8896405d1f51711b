import { readFileSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readLayerConfig } from '../layer/read-layer-config.ts';
import type { LayerVisibility } from '../layer/visibility.ts';
import { isMissing } from './is-missing.ts';

const CONFIG_FILE = '.layer-config';

/** Who may see a layer, where its folder says so; undefined where it says nothing. */
export function readLayerVisibility(root: string): LayerVisibility | undefined {
  const file = `${root}/${CONFIG_FILE}`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new CatalogError('config.invalid', `${file} cannot be read.`, {
      details: { file },
      suggested_action: 'Make it readable, or remove it.',
      cause,
    });
  }
  return readLayerConfig(text, file).visibility;
}
