import { isAddress } from '@catalog/consumer/config/is-address';
import type { Config } from '@catalog/consumer/config/types';
import { shellWord } from '@catalog/core/text/shell-word';
import { shortPath, type Where } from '../../output/places.ts';

export function warningsCommand(
  config: Config,
  where: Where,
  { marketplaces }: { marketplaces: boolean },
): string {
  const { registry, harness, target, scope, files } = config;
  const place = (value: string): string =>
    shellWord(isAddress(value) ? value : shortPath(value, where));
  const given = files.find(({ origin }) => origin.kind === 'flag');
  return [
    'catalog warnings',
    ...(registry?.origin.kind === 'flag' ? [`--registry ${place(registry.value)}`] : []),
    ...(harness.origin.kind === 'flag' ? [`--harness ${shellWord(harness.value)}`] : []),
    ...(target.origin.kind === 'flag' ? [`--target ${place(target.value)}`] : []),
    ...(scope === 'user' ? ['--scope user'] : []),
    ...(given === undefined ? [] : [`--config=${place(given.path)}`]),
    ...(marketplaces && given === undefined ? ['--config'] : []),
  ].join(' ');
}
