import { relative } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { isAddress } from '../config/is-address.ts';
import type { ResolvedTarget } from '../config/types.ts';

/** The canonical layout written into the registry itself would be read back as artifacts by the next run. */
export function refuseFeedback(
  target: ResolvedTarget,
  adapter: HarnessAdapter,
  registry: string,
): void {
  if (adapter.id !== 'none' || isAddress(registry)) return;
  const inside = relative(registry, target.directory);
  if (inside.startsWith('..') || inside.split('/').some((segment) => segment.startsWith('.')))
    return;
  throw new CatalogError(
    'config.invalid',
    `The target ${target.directory} lies inside the registry ${registry}, and the layout of harness none would be read back as artifacts.`,
    {
      details: { target: target.directory, registry },
      suggested_action:
        'Choose a harness with --harness, or a folder outside the registry with --target.',
    },
  );
}
