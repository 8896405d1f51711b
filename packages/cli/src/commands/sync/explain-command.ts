import { isAddress } from '@catalog/consumer/config/is-address';
import { shellWord } from '@catalog/core/text/shell-word';
import type { Config, Sourced } from '@catalog/consumer/config/types';
import { shortPath, type Where } from '../../output/places.ts';

/**
 * Returns the command that explains rejections: `catalog lint` with the sources of this run, or the ingest report of a
 * server.
 */
export function explainCommand(
  { registry, overlay }: Config,
  layers: Iterable<string>,
  where: Where,
): string {
  if (registry !== undefined && isAddress(registry.value)) {
    const [layer = '<layer>', ...others] = new Set(layers);
    return `catalog layer ingests ${others.length === 0 ? shellWord(layer) : '<layer>'}`;
  }
  const folder = overrideFor(registry, where);
  // With an overlay, the command needs both folders.
  if (folder !== undefined && overlay === undefined) return `catalog lint ${folder}`;
  const onTop = overrideFor(overlay, where);
  return [
    'catalog lint',
    ...(folder === undefined ? [] : [`--registry ${folder}`]),
    ...(onTop === undefined ? [] : [`--overlay ${onTop}`]),
  ].join(' ');
}

/** The next command may lack the flag or environment variable. */
function overrideFor(folder: Sourced<string> | undefined, where: Where): string | undefined {
  if (folder?.origin.kind !== 'flag' && folder?.origin.kind !== 'env') return undefined;
  return shellWord(shortPath(folder.value, where));
}
