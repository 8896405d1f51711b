import { isAddress } from '@catalog/consumer/config/is-address';
import { shellWord } from '@catalog/core/text/shell-word';
import type { Config, Sourced } from '@catalog/consumer/config/types';
import { shortPath, type Where } from '../../output/places.ts';

/**
 * The command that says more of what was rejected: the `catalog lint` that reads what a run with this
 * configuration reads, or where a server did, the report of its ingest.
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
  const folder = givenForOneRun(registry, where);
  // A folder named alone is read alone; with an overlay it is named as it was to the run.
  if (folder !== undefined && overlay === undefined) return `catalog lint ${folder}`;
  const onTop = givenForOneRun(overlay, where);
  return [
    'catalog lint',
    ...(folder === undefined ? [] : [`--registry ${folder}`]),
    ...(onTop === undefined ? [] : [`--overlay ${onTop}`]),
  ].join(' ');
}

/** A folder that a flag or a variable named: the next command may not have either. */
function givenForOneRun(folder: Sourced<string> | undefined, where: Where): string | undefined {
  if (folder?.origin.kind !== 'flag' && folder?.origin.kind !== 'env') return undefined;
  return shellWord(shortPath(folder.value, where));
}
