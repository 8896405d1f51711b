import { findFormats, type ChosenFormat } from '@catalog/harness/marketplace/find-format';
import { marketProblem } from '@catalog/harness/marketplace/market-problem';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { refuseTarget } from '../config/refuse-target.ts';
import type { MarketplaceTarget } from '../config/types.ts';

/** The formats of a marketplace; what its harnesses cannot import, or not together, refuses it. */
export function chooseFormats(
  { id, harnesses, plugins, file }: MarketplaceTarget,
  adapters: KnownAdapters,
): ChosenFormat[] {
  const refuse = refuseTarget(id, file.path);
  const { formats, without } = findFormats(harnesses, adapters);
  const [first] = without;
  if (first !== undefined) {
    const names = without.map(({ harness }) => harness).join(', ');
    throw refuse(
      `cannot be a marketplace for ${names}: ${first.reason}`,
      `Remove ${names} from harness, and deliver to it with a workspace target.`,
      'harness',
    );
  }
  const found = marketProblem(
    id,
    plugins.map(({ name }) => name),
    formats.map(({ format }) => format),
  );
  if (found !== undefined) throw refuse(`is not a marketplace: ${found.problem}`, found.advice);
  return formats;
}
